// Calls that end later, on a thread of Node's pool.
//
// lib/ keeps the descriptors open until the call has ended; see descriptor.ts.
#include <algorithm>
#include <optional>

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

class FindLater : public Napi::AsyncWorker {
 public:
  FindLater(Napi::Env env, int directory, std::vector<std::string> names, std::string bytes,
            size_t within_bytes)
      : Napi::AsyncWorker(env, "fe.find"),
        directory_(directory),
        names_(std::move(names)),
        bytes_(std::move(bytes)),
        within_bytes_(within_bytes),
        deferred_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override {
    found_.emplace(FindInHeads(directory_, names_, bytes_, within_bytes_));
  }

  void OnOK() override {
    if (!found_->ok()) return deferred_.Reject(ErrorToJs(Env(), found_->error()).Value());
    const auto& places = found_->value();
    auto array = Napi::Array::New(Env(), places.size());
    for (uint32_t i = 0; i < places.size(); ++i) {
      array.Set(i, Napi::Number::New(Env(), static_cast<double>(places[i])));
    }
    deferred_.Resolve(array);
  }

  // Execute threw: there was no memory.
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  const int directory_;
  const std::vector<std::string> names_;
  const std::string bytes_;
  const size_t within_bytes_;
  const Napi::Promise::Deferred deferred_;
  std::optional<Result<std::vector<size_t>>> found_;
};

// No file of the store has to be read further to know what it is about.
constexpr uint64_t kMostHeadBytes = 1024 * 1024;

// (directory, names, bytes, withinBytes) -> promise of places in names
Napi::Value FindInHeadsOf(const Napi::CallbackInfo& info) {
  const auto within = std::min(PositionArgument(info, 3), kMostHeadBytes);
  auto* worker =
      new FindLater(info.Env(), DescriptorArgument(info, 0), NamesArgument(info, 1),
                    BytesArgument(info, 2), static_cast<size_t>(within));
  worker->Queue();
  return worker->promise();
}

class WriteBackLater : public Napi::AsyncWorker {
 public:
  WriteBackLater(Napi::Env env, int file, uint64_t position_bytes, uint64_t length_bytes)
      : Napi::AsyncWorker(env, "fe.writeBack"),
        file_(file),
        position_bytes_(position_bytes),
        length_bytes_(length_bytes),
        deferred_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { StartWriteBack(file_, position_bytes_, length_bytes_); }

  void OnOK() override { deferred_.Resolve(Env().Undefined()); }

 private:
  const int file_;
  const uint64_t position_bytes_;
  const uint64_t length_bytes_;
  const Napi::Promise::Deferred deferred_;
};

// (file, position, length) -> promise
Napi::Value StartWriteBackOf(const Napi::CallbackInfo& info) {
  auto* worker = new WriteBackLater(info.Env(), DescriptorArgument(info, 0),
                                    PositionArgument(info, 1), PositionArgument(info, 2));
  worker->Queue();
  return worker->promise();
}

class FlushLater : public Napi::AsyncWorker {
 public:
  FlushLater(Napi::Env env, int file)
      : Napi::AsyncWorker(env, "fe.flush"),
        file_(file),
        deferred_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { answer_ = Flush(file_); }

  void OnOK() override {
    if (answer_.ok()) {
      deferred_.Resolve(Env().Undefined());
    } else {
      deferred_.Reject(ErrorToJs(Env(), answer_.error()).Value());
    }
  }

 private:
  const int file_;
  const Napi::Promise::Deferred deferred_;
  Status answer_ = Done{};
};

// (file) -> promise
Napi::Value FlushFile(const Napi::CallbackInfo& info) {
  auto* worker = new FlushLater(info.Env(), DescriptorArgument(info, 0));
  worker->Queue();
  return worker->promise();
}

}  // namespace

void AddLaterCalls(Napi::Env env, Napi::Object exports) {
  exports.Set("findInHeads", Napi::Function::New<FindInHeadsOf>(env));
  exports.Set("flush", Napi::Function::New<FlushFile>(env));
  exports.Set("publishUnnamedFile", Napi::Function::New<PublishUnnamed>(env));
  exports.Set("startWriteBack", Napi::Function::New<StartWriteBackOf>(env));
}

}  // namespace fe
