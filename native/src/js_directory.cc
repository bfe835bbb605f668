// Calls about directories of the store.
#include "js_args.h"
#include "js_descriptors.h"
#include "js_result.h"
#include "js_status.h"

namespace fe {
namespace {

Napi::Value Adopt(const Napi::CallbackInfo& info, Result<Descriptor> opened) {
  return OpenDescriptors::Of(info.Env())
      .Adopt(info.Env(), Unwrap(info.Env(), std::move(opened)));
}

// (path) -> descriptor
Napi::Value OpenByPath(const Napi::CallbackInfo& info) {
  return Adopt(info, OpenDirectoryByPath(BytesArgument(info, 0)));
}

// (directory, name) -> descriptor
Napi::Value OpenDirectory(const Napi::CallbackInfo& info) {
  return Adopt(info, OpenDirectoryAt(DescriptorArgument(info, 0), BytesArgument(info, 1)));
}

// (directory, name, forWriting) -> descriptor
Napi::Value OpenFile(const Napi::CallbackInfo& info) {
  const auto access = BooleanArgument(info, 2) ? Access::kReadWrite : Access::kRead;
  return Adopt(info, OpenFileAt(DescriptorArgument(info, 0), BytesArgument(info, 1), access));
}

// (directory, name, mode) -> descriptor
Napi::Value OpenOrCreateFile(const Napi::CallbackInfo& info) {
  return Adopt(info, OpenOrCreateFileAt(DescriptorArgument(info, 0), BytesArgument(info, 1),
                                        ModeArgument(info, 2)));
}

// (directory, name, mode) -> descriptor
Napi::Value CreateFile(const Napi::CallbackInfo& info) {
  return Adopt(info, CreateFileAt(DescriptorArgument(info, 0), BytesArgument(info, 1),
                                  ModeArgument(info, 2)));
}

// (directory, mode) -> descriptor
Napi::Value CreateUnnamed(const Napi::CallbackInfo& info) {
  return Adopt(info, CreateUnnamedFile(DescriptorArgument(info, 0), ModeArgument(info, 1)));
}

// (file, directory, name)
void LinkUnnamed(const Napi::CallbackInfo& info) {
  Unwrap(info.Env(), LinkUnnamedFile(DescriptorArgument(info, 0), DescriptorArgument(info, 1),
                                     BytesArgument(info, 2)));
}

// (directory, name, words) -> owner, or null where there is no such name: every edit looks at names
// that are not there, and an exception, with its stack, costs ten times the look.
Napi::Value EntryAt(const Napi::CallbackInfo& info) {
  auto entry = EntryStatusAt(DescriptorArgument(info, 0), BytesArgument(info, 1));
  if (!entry.ok() && entry.error().code == "ENOENT") return info.Env().Null();
  return EntryToJs(info.Env(), Unwrap(info.Env(), std::move(entry)), WordsArgument(info, 2));
}

// (directory) -> Buffer[]
Napi::Value List(const Napi::CallbackInfo& info) {
  return NamesToJs(info.Env(), Unwrap(info.Env(), ListNames(DescriptorArgument(info, 0))));
}

// (directory, name, mode)
void MakeDirectory(const Napi::CallbackInfo& info) {
  Unwrap(info.Env(), MakeDirectoryAt(DescriptorArgument(info, 0), BytesArgument(info, 1),
                                     ModeArgument(info, 2)));
}

// (directory, from, to)
void Link(const Napi::CallbackInfo& info) {
  const int directory = DescriptorArgument(info, 0);
  Unwrap(info.Env(),
         LinkAt(directory, BytesArgument(info, 1), directory, BytesArgument(info, 2)));
}

// (fromDirectory, from, toDirectory, to)
void Rename(const Napi::CallbackInfo& info) {
  Unwrap(info.Env(), RenameAt(DescriptorArgument(info, 0), BytesArgument(info, 1),
                              DescriptorArgument(info, 2), BytesArgument(info, 3)));
}

// (directory, name)
void Unlink(const Napi::CallbackInfo& info) {
  Unwrap(info.Env(), UnlinkAt(DescriptorArgument(info, 0), BytesArgument(info, 1)));
}

// A number that is not open becomes -1, and its part of the report EBADF.
int OpenOrNone(const Napi::CallbackInfo& info, size_t index) {
  const int64_t number = IntegerArgument(info, index);
  const bool known = number >= 0 && number <= INT32_MAX &&
                     OpenDescriptors::Of(info.Env()).Has(static_cast<int>(number));
  return known ? static_cast<int>(number) : -1;
}

// (directory, record, recordName, mark, markPosition, hasLock, lock, lockName) -> report
Napi::Value FinishRecord(const Napi::CallbackInfo& info) {
  auto& open = OpenDescriptors::Of(info.Env());
  const std::string mark = BytesArgument(info, 3);
  FinishRequest request;
  request.directory = OpenOrNone(info, 0);
  request.record_name = BytesArgument(info, 2);
  request.mark = reinterpret_cast<const uint8_t*>(mark.data());
  request.mark_bytes = mark.size();
  request.mark_position_bytes = PositionArgument(info, 4);
  request.has_lock = BooleanArgument(info, 5);
  request.lock_name = BytesArgument(info, 7);
  // Taken only now: an argument of a wrong type must leave both open.
  const int lock = OpenOrNone(info, 6);
  request.record = open.Take(OpenOrNone(info, 1));
  request.lock = open.Take(lock);
  auto report = Finish(std::move(request));
  auto answer = FinishToJs(info.Env(), report);
  if (report.rest.number() >= 0) {
    answer.Set("rest", open.Adopt(info.Env(), std::move(report.rest)));
  }
  return answer;
}

}  // namespace

void AddDirectoryCalls(Napi::Env env, Napi::Object exports) {
  exports.Set("openDirectoryByPath", Napi::Function::New<OpenByPath>(env));
  exports.Set("openDirectory", Napi::Function::New<OpenDirectory>(env));
  exports.Set("openFile", Napi::Function::New<OpenFile>(env));
  exports.Set("openOrCreateFile", Napi::Function::New<OpenOrCreateFile>(env));
  exports.Set("createFile", Napi::Function::New<CreateFile>(env));
  exports.Set("createUnnamedFile", Napi::Function::New<CreateUnnamed>(env));
  exports.Set("linkUnnamedFile", Napi::Function::New<LinkUnnamed>(env));
  exports.Set("entryStatusAt", Napi::Function::New<EntryAt>(env));
  exports.Set("list", Napi::Function::New<List>(env));
  exports.Set("makeDirectory", Napi::Function::New<MakeDirectory>(env));
  exports.Set("link", Napi::Function::New<Link>(env));
  exports.Set("rename", Napi::Function::New<Rename>(env));
  exports.Set("unlink", Napi::Function::New<Unlink>(env));
  exports.Set("finishRecord", Napi::Function::New<FinishRecord>(env));
}

}  // namespace fe
