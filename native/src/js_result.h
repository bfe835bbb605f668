// Answers of the system layer as JavaScript values, in the shapes of lib/os.ts. What lib/ makes of
// them is stated in lib/binding.ts.
#pragma once

#include <napi.h>

#include <utility>

#include "os.h"

namespace fe {

// Error {code, syscall, errno}, as Node's own, but with errno positive.
Napi::Error ErrorToJs(Napi::Env env, const OsError& error);

// The value, or a JavaScript exception.
template <typename T>
T Unwrap(Napi::Env env, Result<T> result) {
  if (!result.ok()) throw ErrorToJs(env, result.error());
  return std::move(result.value());
}

Napi::Array NamesToJs(Napi::Env env, const std::vector<std::string>& names);
Napi::Object FinishToJs(Napi::Env env, FinishReport& report);
Napi::Object PublishToJs(Napi::Env env, const PublishReport& report);
Napi::Object BootToJs(Napi::Env env, const BootFacts& facts);
Napi::Object ProbeToJs(Napi::Env env, const ProcessProbe& probe);

}  // namespace fe
