// Calls that end later, on a thread of Node's pool.
//
// lib/ keeps the descriptors open until the call has ended; see descriptor.ts.
#include "js_args.h"
#include "js_descriptors.h"
#include "js_result.h"

namespace fe {
namespace {

class PublishLater : public Napi::AsyncWorker {
 public:
  PublishLater(Napi::Env env, int file, int directory, std::string name)
      : Napi::AsyncWorker(env, "fe.publish"),
        file_(file),
        directory_(directory),
        name_(std::move(name)),
        deferred_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { report_ = Publish(file_, directory_, name_); }

  void OnOK() override { deferred_.Resolve(PublishToJs(Env(), report_)); }

 private:
  const int file_;
  const int directory_;
  const std::string name_;
  const Napi::Promise::Deferred deferred_;
  PublishReport report_;
};

// (file, directory, name) -> promise of the report
Napi::Value PublishUnnamed(const Napi::CallbackInfo& info) {
  auto* worker = new PublishLater(info.Env(), DescriptorArgument(info, 0),
                                  DescriptorArgument(info, 1), BytesArgument(info, 2));
  // It deletes itself when it has ended.
  worker->Queue();
  return worker->promise();
}

}  // namespace

void AddLaterCalls(Napi::Env env, Napi::Object exports) {
  exports.Set("publishUnnamedFile", Napi::Function::New<PublishUnnamed>(env));
}

}  // namespace fe
