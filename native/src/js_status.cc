// See js_status.h.
#include "js_status.h"

namespace fe {
namespace {

void PutWords(const EntryStatus& entry, uint64_t* words) {
  words[kKind] = static_cast<uint64_t>(entry.kind);
  words[kDevice] = entry.device;
  words[kFile] = entry.file;
  words[kSizeBytes] = entry.size_bytes;
  words[kLinkCount] = entry.link_count;
  words[kMode] = entry.mode;
  words[kModifiedNs] = static_cast<uint64_t>(entry.modified_ns);
  words[kFileHigh] = entry.file_high;
}

Napi::Buffer<char> Bytes(Napi::Env env, const std::string& bytes) {
  return Napi::Buffer<char>::Copy(env, bytes.data(), bytes.size());
}

Napi::Value OwnerToJs(Napi::Env env, const EntryStatus& entry) {
  if (!entry.security.empty()) return Bytes(env, entry.security);
  return Napi::String::New(env, entry.owner);
}

Napi::Array ListsToJs(Napi::Env env, const PermissionFacts& permission) {
  auto lists = Napi::Array::New(env, permission.access_lists.size());
  for (uint32_t i = 0; i < permission.access_lists.size(); ++i) {
    const auto& [name, bytes] = permission.access_lists[i];
    auto pair = Napi::Array::New(env, 2);
    pair.Set(0u, name);
    pair.Set(1u, Bytes(env, bytes));
    lists.Set(i, pair);
  }
  return lists;
}

}  // namespace

uint64_t* WordsArgument(const Napi::CallbackInfo& info, size_t index) {
  const Napi::Value value = info[index];
  if (value.IsTypedArray() &&
      value.As<Napi::TypedArray>().TypedArrayType() == napi_biguint64_array) {
    auto words = value.As<Napi::BigUint64Array>();
    if (words.ElementLength() >= kStatusWords) return words.Data();
  }
  throw Napi::TypeError::New(info.Env(), "words for a status are wanted");
}

Napi::Value EntryToJs(Napi::Env env, const EntryStatus& entry, uint64_t* words) {
  PutWords(entry, words);
  return OwnerToJs(env, entry);
}

Napi::Array StatusToJs(Napi::Env env, const FileStatus& status, uint64_t* words) {
  PutWords(status.entry, words);
  words[kVolumeLow] = status.identity.volume.low;
  words[kVolumeHigh] = status.identity.volume.high;
  words[kFilesystemClass] = static_cast<uint64_t>(status.filesystem.filesystem_class);
  words[kHasBirthTime] = status.entry.birth_time_ns.has_value();
  words[kBirthTimeNs] = static_cast<uint64_t>(status.entry.birth_time_ns.value_or(0));
  words[kHasGeneration] = status.identity.generation.has_value();
  words[kGeneration] = status.identity.generation.value_or(0);

  auto texts = Napi::Array::New(env, 4);
  texts.Set(0u, OwnerToJs(env, status.entry));
  texts.Set(1u, status.entry.group);
  texts.Set(2u, status.identity.handle);
  texts.Set(3u, status.filesystem.type);
  const auto& permission = status.permission;
  if (!permission.access_lists.empty() || permission.capabilities) {
    texts.Set(4u, ListsToJs(env, permission));
    texts.Set(5u, permission.capabilities ? Napi::Value(Bytes(env, *permission.capabilities))
                                          : env.Null());
  }
  return texts;
}

}  // namespace fe
