// See js_args.h.
#include "js_args.h"

#include <cmath>

namespace fe {
namespace {

constexpr double kMaxSafeInteger = 9007199254740991.0;

[[noreturn]] void Refuse(const Napi::CallbackInfo& info, size_t index, const char* wanted) {
  throw Napi::TypeError::New(
      info.Env(), "argument " + std::to_string(index) + " of the addon: " + wanted + " is wanted");
}

int64_t IntegerBetween(const Napi::CallbackInfo& info, size_t index, double low, double high,
                       const char* wanted) {
  const Napi::Value value = info[index];
  if (!value.IsNumber()) Refuse(info, index, wanted);
  const double number = value.As<Napi::Number>().DoubleValue();
  // Also false for NaN.
  if (!(number >= low && number <= high) || std::trunc(number) != number) {
    Refuse(info, index, wanted);
  }
  return static_cast<int64_t>(number);
}

// A Buffer is one. `IsBuffer` says yes to any view, also to those of which it gives no bytes then.
bool IsBytes(const Napi::Value& value) {
  return value.IsTypedArray() &&
         value.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array;
}

std::string BytesOf(const Napi::Value& value) {
  const auto array = value.As<Napi::Uint8Array>();
  return std::string(reinterpret_cast<const char*>(array.Data()), array.ByteLength());
}

}  // namespace

std::string BytesArgument(const Napi::CallbackInfo& info, size_t index) {
  if (!IsBytes(info[index])) Refuse(info, index, "a Buffer");
  return BytesOf(info[index]);
}

std::vector<std::string> NamesArgument(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsArray()) Refuse(info, index, "an array of Buffers");
  const auto array = info[index].As<Napi::Array>();
  // Nothing is reserved: an array may state a length that no memory holds.
  std::vector<std::string> names;
  for (uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::Value name = array.Get(i);
    if (!IsBytes(name)) Refuse(info, index, "an array of Buffers");
    names.push_back(BytesOf(name));
  }
  return names;
}

uint32_t ModeArgument(const Napi::CallbackInfo& info, size_t index) {
  return static_cast<uint32_t>(IntegerBetween(info, index, 0, 07777, "a mode up to 0o7777"));
}

uint64_t PositionArgument(const Napi::CallbackInfo& info, size_t index) {
  return static_cast<uint64_t>(IntegerBetween(info, index, 0, kMaxSafeInteger, "a position"));
}

int64_t IntegerArgument(const Napi::CallbackInfo& info, size_t index) {
  return IntegerBetween(info, index, -kMaxSafeInteger, kMaxSafeInteger, "an integer");
}

bool BooleanArgument(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsBoolean()) Refuse(info, index, "a boolean");
  return info[index].As<Napi::Boolean>().Value();
}

}  // namespace fe
