// Calls that read and write, which Node makes by itself where a number of ours is a
// descriptor.
#include <memory>

#include "content_windows.h"
#include "js_args.h"
#include "js_descriptors.h"
#include "js_result.h"

namespace fe {
namespace {

struct Bytes {
  uint8_t* data;
  size_t length;
};

Bytes ArrayArgument(const Napi::CallbackInfo& info, size_t index) {
  const Napi::Value value = info[index];
  if (value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array) {
    auto array = value.As<Napi::Uint8Array>();
    return {array.Data(), array.ElementLength()};
  }
  throw Napi::TypeError::New(info.Env(), "a Uint8Array is wanted");
}

// (descriptor, bytes, position) -> count
Napi::Value Read(const Napi::CallbackInfo& info) {
  const Bytes bytes = ArrayArgument(info, 1);
  const auto count =
      ReadAt(DescriptorArgument(info, 0), bytes.data, bytes.length, PositionArgument(info, 2));
  return Napi::Number::New(info.Env(), static_cast<double>(Unwrap(info.Env(), count)));
}

// (descriptor, bytes, position) -> count
Napi::Value Write(const Napi::CallbackInfo& info) {
  const Bytes bytes = ArrayArgument(info, 1);
  const auto count =
      WriteAt(DescriptorArgument(info, 0), bytes.data, bytes.length, PositionArgument(info, 2));
  return Napi::Number::New(info.Env(), static_cast<double>(Unwrap(info.Env(), count)));
}

// (descriptor, sizeBytes)
void SetSize(const Napi::CallbackInfo& info) {
  Unwrap(info.Env(), SetLength(DescriptorArgument(info, 0), PositionArgument(info, 1)));
}

// A call in the thread pool, and the promise of its answer. The caller keeps the file open
// meanwhile (lib/descriptor.ts, I2).
class Later : public Napi::AsyncWorker {
 public:
  using Work = Result<size_t> (*)(int file, Bytes bytes, uint64_t position);

  static Napi::Value Start(const Napi::CallbackInfo& info, Work work, int file, Bytes bytes,
                           uint64_t position) {
    // Deletes itself when it is done.
    auto* later = new Later(info.Env(), work, file, bytes, position);
    // The memory of the bytes lives as long as their array does.
    if (info[1].IsObject()) later->array_ = Napi::Persistent(info[1].As<Napi::Object>());
    const Napi::Promise promise = later->deferred_.Promise();
    later->Queue();
    return promise;
  }

 protected:
  void Execute() override { answer_.emplace(work_(file_, bytes_, position_)); }
  void OnOK() override {
    if (answer_->ok()) {
      deferred_.Resolve(Napi::Number::New(Env(), static_cast<double>(answer_->value())));
    } else {
      deferred_.Reject(ErrorToJs(Env(), answer_->error()).Value());
    }
  }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  Later(Napi::Env env, Work work, int file, Bytes bytes, uint64_t position)
      : AsyncWorker(env, "fe_native"),
        work_(work),
        file_(file),
        bytes_(bytes),
        position_(position),
        deferred_(Napi::Promise::Deferred::New(env)) {}

  const Work work_;
  const int file_;
  const Bytes bytes_;
  Napi::ObjectReference array_;
  const uint64_t position_;
  std::optional<Result<size_t>> answer_;
  Napi::Promise::Deferred deferred_;
};

// (descriptor, bytes, position) -> promise of a count
Napi::Value ReadLater(const Napi::CallbackInfo& info) {
  return Later::Start(
      info,
      [](int file, Bytes bytes, uint64_t position) {
        return ReadAt(file, bytes.data, bytes.length, position);
      },
      DescriptorArgument(info, 0), ArrayArgument(info, 1), PositionArgument(info, 2));
}

// (descriptor, bytes, position) -> promise of a count
Napi::Value WriteLater(const Napi::CallbackInfo& info) {
  return Later::Start(
      info,
      [](int file, Bytes bytes, uint64_t position) {
        return WriteAt(file, bytes.data, bytes.length, position);
      },
      DescriptorArgument(info, 0), ArrayArgument(info, 1), PositionArgument(info, 2));
}

}  // namespace

void AddContentCalls(Napi::Env env, Napi::Object exports) {
  auto content = Napi::Object::New(env);
  content.Set("read", Napi::Function::New<Read>(env));
  content.Set("write", Napi::Function::New<Write>(env));
  content.Set("readLater", Napi::Function::New<ReadLater>(env));
  content.Set("writeLater", Napi::Function::New<WriteLater>(env));
  content.Set("setLength", Napi::Function::New<SetSize>(env));
  exports.Set("content", content);
}

}  // namespace fe
