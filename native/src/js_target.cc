// Calls about targets, and about any open file.
#include <limits>

#include "js_args.h"
#include "js_descriptors.h"
#include "js_result.h"
#include "js_status.h"

namespace fe {
namespace {

Walked WalkFrom(const Napi::CallbackInfo& info) {
  const auto route = BooleanArgument(info, 1) ? WalkRoute::kComponents : WalkRoute::kBest;
  return Unwrap(info.Env(), WalkTo(BytesArgument(info, 0), route));
}

// Texts of both statuses, as the first two of an array of `length`.
Napi::Array StatusesToJs(const Napi::CallbackInfo& info, const Walked& walked, size_t length,
                         Permission wanted) {
  const Napi::Env env = info.Env();
  uint64_t* const parent_words = WordsArgument(info, 2);
  uint64_t* const target_words = WordsArgument(info, 3);
  const int parent = walked.parent.number();
  const auto parent_status = Unwrap(env, StatusOf(parent, -1, wanted));
  const auto target_status = Unwrap(env, StatusOf(walked.target.number(), parent, wanted));
  auto answer = Napi::Array::New(env, length);
  answer.Set(0u, StatusToJs(env, parent_status, parent_words));
  answer.Set(1u, StatusToJs(env, target_status, target_words));
  return answer;
}

// (path, componentsOnly, parentWords, targetWords) -> [parentTexts, targetTexts, parent, target]
Napi::Value OpenTarget(const Napi::CallbackInfo& info) {
  Walked walked = WalkFrom(info);
  auto answer = StatusesToJs(info, walked, 4, Permission::kWithPermission);
  auto& open = OpenDescriptors::Of(info.Env());
  answer.Set(2u, open.Adopt(info.Env(), std::move(walked.parent)));
  answer.Set(3u, open.Adopt(info.Env(), std::move(walked.target)));
  return answer;
}

// (path, componentsOnly, parentWords, targetWords) -> [parentTexts, targetTexts]
Napi::Value InspectTarget(const Napi::CallbackInfo& info) {
  return StatusesToJs(info, WalkFrom(info), 2, Permission::kLeftOut);
}

// (descriptor, withPermission, words) -> texts
Napi::Value GetStatus(const Napi::CallbackInfo& info) {
  const auto wanted = BooleanArgument(info, 1) ? Permission::kWithPermission : Permission::kLeftOut;
  const auto status = Unwrap(info.Env(), StatusOf(DescriptorArgument(info, 0), -1, wanted));
  return StatusToJs(info.Env(), status, WordsArgument(info, 2));
}

// (descriptor, words) -> owner
Napi::Value GetEntryStatus(const Napi::CallbackInfo& info) {
  const auto entry = Unwrap(info.Env(), EntryStatusOf(DescriptorArgument(info, 0)));
  return EntryToJs(info.Env(), entry, WordsArgument(info, 1));
}

// (descriptor, forWriting) -> descriptor
Napi::Value ReopenFile(const Napi::CallbackInfo& info) {
  const auto access = BooleanArgument(info, 1) ? Access::kReadWrite : Access::kRead;
  auto opened = Unwrap(info.Env(), Reopen(DescriptorArgument(info, 0), access));
  return OpenDescriptors::Of(info.Env()).Adopt(info.Env(), std::move(opened));
}

// (descriptor) -> boolean
Napi::Value LockFile(const Napi::CallbackInfo& info) {
  const bool locked = Unwrap(info.Env(), TryLock(DescriptorArgument(info, 0)));
  return Napi::Boolean::New(info.Env(), locked);
}

const char* RefusalName(LeaseAnswer answer) {
  switch (answer) {
    case LeaseAnswer::kOpenElsewhere:
      return "open-elsewhere";
    case LeaseAnswer::kNotOwner:
      return "not-owner";
    case LeaseAnswer::kTooBrief:
      return "too-brief";
    default:
      return "unsupported";
  }
}

Napi::Value LeaseToJs(Napi::Env env, const Lease& lease) {
  if (lease.answer == LeaseAnswer::kGranted) {
    const bool for_good = lease.holds_ms == kHoldsForGood;
    return Napi::Number::New(env, for_good ? std::numeric_limits<double>::infinity()
                                           : lease.holds_ms);
  }
  return Napi::String::New(env, RefusalName(lease.answer));
}

// (descriptor, insistUs) -> number of ms for which it holds, perhaps infinite; or why there is none
Napi::Value StartExclusion(const Napi::CallbackInfo& info) {
  const auto insist_us = static_cast<uint32_t>(PositionArgument(info, 1));
  const int file = DescriptorArgument(info, 0);
  return LeaseToJs(info.Env(), Unwrap(info.Env(), TakeLease(file, insist_us)));
}

// (descriptor)
void EndExclusion(const Napi::CallbackInfo& info) {
  Unwrap(info.Env(), EndLease(DescriptorArgument(info, 0)));
}

// (descriptor) -> as StartExclusion, of one that has ended by then. One call, so that nobody waits
// for more than the kernel needs for both.
Napi::Value ProbeExclusion(const Napi::CallbackInfo& info) {
  const int file = DescriptorArgument(info, 0);
  const auto lease = Unwrap(info.Env(), TakeLease(file, 0));
  if (lease.answer == LeaseAnswer::kGranted) Unwrap(info.Env(), EndLease(file));
  return LeaseToJs(info.Env(), lease);
}

// (descriptor) -> boolean
Napi::Value ExclusionIsUnbroken(const Napi::CallbackInfo& info) {
  const bool unbroken = Unwrap(info.Env(), LeaseIsUnbroken(DescriptorArgument(info, 0)));
  return Napi::Boolean::New(info.Env(), unbroken);
}

// (descriptor, sizeBytes) -> boolean
Napi::Value ReserveRoom(const Napi::CallbackInfo& info) {
  const bool reserved =
      Unwrap(info.Env(), Reserve(DescriptorArgument(info, 0), PositionArgument(info, 1)));
  return Napi::Boolean::New(info.Env(), reserved);
}

// (descriptor)
void CloseDescriptor(const Napi::CallbackInfo& info) {
  OpenDescriptors::Of(info.Env()).Take(DescriptorArgument(info, 0)).Close();
}

}  // namespace

int DescriptorArgument(const Napi::CallbackInfo& info, size_t index) {
  const int64_t number = IntegerArgument(info, index);
  if (number < 0 || number > INT32_MAX ||
      !OpenDescriptors::Of(info.Env()).Has(static_cast<int>(number))) {
    throw ErrorToJs(info.Env(), OsError{"close", "EBADF", 0, "the handle is closed"});
  }
  return static_cast<int>(number);
}

void AddTargetCalls(Napi::Env env, Napi::Object exports) {
  exports.Set("openTarget", Napi::Function::New<OpenTarget>(env));
  exports.Set("inspectTarget", Napi::Function::New<InspectTarget>(env));
  exports.Set("status", Napi::Function::New<GetStatus>(env));
  exports.Set("entryStatus", Napi::Function::New<GetEntryStatus>(env));
  exports.Set("reopen", Napi::Function::New<ReopenFile>(env));
  exports.Set("tryLock", Napi::Function::New<LockFile>(env));
  exports.Set("startExclusion", Napi::Function::New<StartExclusion>(env));
  exports.Set("endExclusion", Napi::Function::New<EndExclusion>(env));
  exports.Set("probeExclusion", Napi::Function::New<ProbeExclusion>(env));
  exports.Set("exclusionIsUnbroken", Napi::Function::New<ExclusionIsUnbroken>(env));
  exports.Set("reserve", Napi::Function::New<ReserveRoom>(env));
  exports.Set("close", Napi::Function::New<CloseDescriptor>(env));
}

}  // namespace fe
