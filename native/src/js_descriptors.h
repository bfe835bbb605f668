// The descriptors that one environment (main thread or worker) has open.
//
// Two reasons. A number that was closed may belong to somebody else by now, so only a number that
// this set knows reaches the system. And a worker that is terminated runs no `finally`: without
// this its locks would stay held until the whole process ends.
#pragma once

#include <napi.h>

#include <unordered_map>

#include "os.h"

namespace fe {

class OpenDescriptors {
 public:
  static OpenDescriptors& Of(Napi::Env env) { return *env.GetInstanceData<OpenDescriptors>(); }

  // Keeps it open until Take, or until the environment ends.
  Napi::Number Adopt(Napi::Env env, Descriptor descriptor) {
    const int number = descriptor.number();
    open_.insert_or_assign(number, std::move(descriptor));
    return Napi::Number::New(env, number);
  }
  bool Has(int number) const { return open_.count(number) != 0; }
  // Nothing if the number is not one of these.
  Descriptor Take(int number) {
    const auto found = open_.find(number);
    if (found == open_.end()) return Descriptor();
    Descriptor taken = std::move(found->second);
    open_.erase(found);
    return taken;
  }

 private:
  std::unordered_map<int, Descriptor> open_;
};

// The number, or an exception EBADF.
int DescriptorArgument(const Napi::CallbackInfo& info, size_t index);

// The calls of js_target.cc, js_directory.cc, js_later.cc and js_process.cc.
void AddTargetCalls(Napi::Env env, Napi::Object exports);
void AddDirectoryCalls(Napi::Env env, Napi::Object exports);
void AddLaterCalls(Napi::Env env, Napi::Object exports);
void AddProcessCalls(Napi::Env env, Napi::Object exports);
// Those of js_content_windows.cc; elsewhere there are none.
void AddContentCalls(Napi::Env env, Napi::Object exports);

}  // namespace fe
