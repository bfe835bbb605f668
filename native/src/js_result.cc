// See js_result.h.
#include "js_result.h"

namespace fe {
namespace {

const char* NameOf(FileKind kind) {
  switch (kind) {
    case FileKind::kRegular:
      return "regular";
    case FileKind::kDirectory:
      return "directory";
    case FileKind::kSymlink:
      return "symlink";
    case FileKind::kFifo:
      return "fifo";
    case FileKind::kSocket:
      return "socket";
    case FileKind::kBlockDevice:
      return "block-device";
    case FileKind::kCharacterDevice:
      return "character-device";
    case FileKind::kUnknown:
      break;
  }
  return "unknown";
}

const char* NameOf(FilesystemClass filesystem_class) {
  switch (filesystem_class) {
    case FilesystemClass::kNetwork:
      return "network";
    case FilesystemClass::kFuse:
      return "fuse";
    case FilesystemClass::kPseudo:
      return "pseudo";
    case FilesystemClass::kLocal:
      break;
  }
  return "local";
}

const char* NameOf(ProcessAnswer answer) {
  switch (answer) {
    case ProcessAnswer::kExists:
      return "exists";
    case ProcessAnswer::kAbsent:
      return "absent";
    case ProcessAnswer::kDenied:
      return "denied";
    case ProcessAnswer::kUnclear:
      break;
  }
  return "unclear";
}

Napi::BigInt Unsigned(Napi::Env env, uint64_t value) { return Napi::BigInt::New(env, value); }
Napi::BigInt Signed(Napi::Env env, int64_t value) { return Napi::BigInt::New(env, value); }
Napi::Number Plain(Napi::Env env, double value) { return Napi::Number::New(env, value); }

Napi::Buffer<char> Bytes(Napi::Env env, const std::string& bytes) {
  return Napi::Buffer<char>::Copy(env, bytes.data(), bytes.size());
}

Napi::Value VolumeToJs(Napi::Env env, const VolumeId& id) {
  const uint64_t words[] = {id.low, id.high};
  return Napi::BigInt::New(env, 0, id.high == 0 ? 1 : 2, words);
}

Napi::Object IdentityToJs(Napi::Env env, const FileStatus& status) {
  auto object = Napi::Object::New(env);
  object.Set("volume", VolumeToJs(env, status.identity.volume));
  object.Set("file", Unsigned(env, status.entry.file));
  if (status.entry.birth_time_ns) {
    object.Set("birthTimeNs", Signed(env, *status.entry.birth_time_ns));
  }
  if (status.identity.generation) {
    object.Set("generation", Unsigned(env, *status.identity.generation));
  }
  if (!status.identity.handle.empty()) object.Set("handle", status.identity.handle);
  object.Set("device", Unsigned(env, status.entry.device));
  return object;
}

Napi::Value RemovalToJs(Napi::Env env, Result<Removal>& removal) {
  if (!removal.ok()) return ErrorToJs(env, removal.error()).Value();
  return Napi::String::New(env, removal.value() == Removal::kRemoved ? "removed" : "absent");
}

}  // namespace

Napi::Error ErrorToJs(Napi::Env env, const OsError& error) {
  auto made = Napi::Error::New(
      env, error.code + ", " + error.message + " (" + std::string(error.operation) + ")");
  made.Set("code", error.code);
  made.Set("syscall", error.operation);
  made.Set("errno", Plain(env, error.native_code));
  return made;
}

Napi::Object EntryToJs(Napi::Env env, const EntryStatus& entry) {
  auto object = Napi::Object::New(env);
  object.Set("kind", NameOf(entry.kind));
  object.Set("device", Unsigned(env, entry.device));
  object.Set("file", Unsigned(env, entry.file));
  object.Set("sizeBytes", Plain(env, static_cast<double>(entry.size_bytes)));
  object.Set("linkCount", Plain(env, static_cast<double>(entry.link_count)));
  object.Set("mode", Plain(env, entry.mode));
  object.Set("owner", entry.owner);
  object.Set("modifiedNs", Signed(env, entry.modified_ns));
  return object;
}

Napi::Object StatusToJs(Napi::Env env, const FileStatus& status) {
  auto object = Napi::Object::New(env);
  object.Set("entry", EntryToJs(env, status.entry));
  object.Set("identity", IdentityToJs(env, status));
  object.Set("group", status.entry.group);
  auto lists = Napi::Array::New(env);
  for (const auto& [name, bytes] : status.permission.access_lists) {
    auto pair = Napi::Array::New(env, 2);
    pair.Set(0u, name);
    pair.Set(1u, Bytes(env, bytes));
    lists.Set(lists.Length(), pair);
  }
  object.Set("accessLists", lists);
  const auto& capabilities = status.permission.capabilities;
  object.Set("capabilities", capabilities ? Napi::Value(Bytes(env, *capabilities)) : env.Null());
  auto filesystem = Napi::Object::New(env);
  filesystem.Set("type", status.filesystem.type);
  filesystem.Set("class", NameOf(status.filesystem.filesystem_class));
  object.Set("filesystem", filesystem);
  return object;
}

Napi::Array NamesToJs(Napi::Env env, const std::vector<std::string>& names) {
  auto array = Napi::Array::New(env, names.size());
  for (uint32_t i = 0; i < names.size(); ++i) array.Set(i, Bytes(env, names[i]));
  return array;
}

Napi::Object FinishToJs(Napi::Env env, FinishReport& report) {
  auto object = Napi::Object::New(env);
  object.Set("markError", report.mark_error
                              ? Napi::Value(ErrorToJs(env, *report.mark_error).Value())
                              : env.Undefined());
  object.Set("record", RemovalToJs(env, report.record));
  object.Set("lock", RemovalToJs(env, report.lock));
  return object;
}

Napi::Object BootToJs(Napi::Env env, const BootFacts& facts) {
  auto object = Napi::Object::New(env);
  if (!facts.boot_id.empty()) object.Set("bootId", facts.boot_id);
  object.Set("bootTimeMs", Plain(env, facts.boot_time_ms));
  if (facts.pid_namespace) object.Set("pidNamespace", Unsigned(env, *facts.pid_namespace));
  if (!facts.machine_id.empty()) object.Set("machineId", facts.machine_id);
  return object;
}

Napi::Object ProbeToJs(Napi::Env env, const ProcessProbe& probe) {
  auto object = Napi::Object::New(env);
  object.Set("answer", NameOf(probe.answer));
  if (probe.start_time) object.Set("startTime", Unsigned(env, *probe.start_time));
  return object;
}

}  // namespace fe
