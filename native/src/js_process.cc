// Calls about the machine and its processes.
#include "js_args.h"
#include "js_descriptors.h"
#include "js_result.h"

namespace fe {
namespace {

// () -> facts
Napi::Value Boot(const Napi::CallbackInfo& info) { return BootToJs(info.Env(), ReadBootFacts()); }

// () -> number
Napi::Value BootTime(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), BootTimeMs());
}

// () -> bigint | undefined
Napi::Value StartTime(const Napi::CallbackInfo& info) {
  const auto ticks = OwnStartTime();
  return ticks ? Napi::Value(Napi::BigInt::New(info.Env(), *ticks)) : info.Env().Undefined();
}

// () -> text
Napi::Value Owner(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), EffectiveOwner());
}

// (pid) -> probe
Napi::Value Probe(const Napi::CallbackInfo& info) {
  return ProbeToJs(info.Env(), ProbeProcess(IntegerArgument(info, 0)));
}

}  // namespace

void AddProcessCalls(Napi::Env env, Napi::Object exports) {
  exports.Set("bootFacts", Napi::Function::New<Boot>(env));
  exports.Set("bootTimeMs", Napi::Function::New<BootTime>(env));
  exports.Set("ownStartTime", Napi::Function::New<StartTime>(env));
  exports.Set("effectiveOwner", Napi::Function::New<Owner>(env));
  exports.Set("probeProcess", Napi::Function::New<Probe>(env));
}

}  // namespace fe
