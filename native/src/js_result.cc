// See js_result.h.
#include "js_result.h"

namespace fe {
namespace {

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
Napi::Number Plain(Napi::Env env, double value) { return Napi::Number::New(env, value); }

Napi::Buffer<char> Bytes(Napi::Env env, const std::string& bytes) {
  return Napi::Buffer<char>::Copy(env, bytes.data(), bytes.size());
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

Napi::Object PublishToJs(Napi::Env env, const PublishReport& report) {
  auto object = Napi::Object::New(env);
  object.Set("hasName", Napi::Boolean::New(env, report.has_name));
  object.Set("error",
             report.error ? Napi::Value(ErrorToJs(env, *report.error).Value()) : env.Undefined());
  return object;
}

Napi::Object BootToJs(Napi::Env env, const BootFacts& facts) {
  auto object = Napi::Object::New(env);
  if (!facts.boot_id.empty()) object.Set("bootId", facts.boot_id);
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
