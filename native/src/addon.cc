// The addon: what it exports. Each environment (main thread, worker) has its own set of
// descriptors, which is closed with it; there is no other state.
#include <napi.h>

#include "js_descriptors.h"

static Napi::Object Init(Napi::Env env, Napi::Object exports) {
  // The environment owns it and deletes it at its end.
  env.SetInstanceData(new fe::OpenDescriptors());
  fe::AddTargetCalls(env, exports);
  fe::AddDirectoryCalls(env, exports);
  fe::AddLaterCalls(env, exports);
  fe::AddProcessCalls(env, exports);
  fe::AddContentCalls(env, exports);
  return exports;
}

NODE_API_MODULE(fe_native, Init)
