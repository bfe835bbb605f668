// The table of open files, and NtCreateFile.
//
// Source: NtCreateFile in the Windows Driver Kit; ReOpenFile for a name that is empty.
#include "open_file_windows.h"

#include <mutex>
#include <set>
#include <unordered_map>

namespace fe {
namespace {

constexpr const char* kOpen = "NtCreateFile";

struct OpenFile {
  Handle handle;
  std::set<FileMark> marks;
};

// Of all threads: a worker has a number space of its own in js_descriptors.h, but not here.
struct Table {
  std::mutex mutex;
  std::unordered_map<int, OpenFile> files;
  int last_number = 0;
};

// Never destroyed: a thread may still close a file while the process ends.
Table& TheTable() {
  static Table* table = new Table;
  return *table;
}

}  // namespace

Descriptor Keep(Handle handle) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  do {
    table.last_number = table.last_number == INT32_MAX ? 1 : table.last_number + 1;
  } while (table.files.count(table.last_number) != 0);
  table.files[table.last_number].handle = std::move(handle);
  return Descriptor(table.last_number);
}

Descriptor KeepWritable(Handle handle) {
  Descriptor kept = Keep(std::move(handle));
  SetMark(kept.number(), FileMark::kWritable, true);
  return kept;
}

HANDLE HandleOf(int number) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  const auto found = table.files.find(number);
  return found == table.files.end() ? INVALID_HANDLE_VALUE : found->second.handle.value();
}

void ReplaceHandle(int number, Handle handle) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  const auto found = table.files.find(number);
  if (found != table.files.end()) found->second.handle = std::move(handle);
}

void SetMark(int number, FileMark mark, bool value) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  const auto found = table.files.find(number);
  if (found == table.files.end()) return;
  if (value) {
    found->second.marks.insert(mark);
  } else {
    found->second.marks.erase(mark);
  }
}

bool HasMark(int number, FileMark mark) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  const auto found = table.files.find(number);
  return found != table.files.end() && found->second.marks.count(mark) != 0;
}

void Descriptor::Close() {
  if (number_ < 0) return;
  OpenFile closed;
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  const auto found = table.files.find(Release());
  if (found == table.files.end()) return;
  closed = std::move(found->second);
  table.files.erase(found);
}

Result<Handle> OpenObject(const OpenQuestion& question) {
  if (question.directory == INVALID_HANDLE_VALUE) {
    return ErrorFromNumber(kOpen, ERROR_INVALID_HANDLE);
  }
  // A length is told in 16 bits; no component and no root is nearly as long.
  if (question.name.size() > 0x7000) return FoundHere(kOpen, "ENAMETOOLONG", "too long");
  UNICODE_STRING name{};
  name.Buffer = const_cast<wchar_t*>(question.name.c_str());
  name.Length = static_cast<USHORT>(question.name.size() * sizeof(wchar_t));
  name.MaximumLength = name.Length;
  OBJECT_ATTRIBUTES object{};
  object.Length = sizeof object;
  object.ObjectName = &name;
  object.RootDirectory = question.directory;
  // A directory that tells cases apart does so all the same.
  object.Attributes = OBJ_CASE_INSENSITIVE;
  object.SecurityDescriptor = question.security;
  IO_STATUS_BLOCK status{};
  HANDLE handle = INVALID_HANDLE_VALUE;
  const NTSTATUS answer = nt::Ntdll().create_file(
      &handle, question.access, &object, &status, nullptr, FILE_ATTRIBUTE_NORMAL, question.share,
      question.disposition, question.options | FILE_SYNCHRONOUS_IO_NONALERT, nullptr, 0);
  if (!nt::Succeeded(answer)) return ErrorFromStatus(kOpen, answer);
  return Handle(handle);
}

Result<Handle> OpenAgain(HANDLE handle, ACCESS_MASK access, ULONG share, ULONG options) {
  auto wanted = FileIdOf(handle);
  if (!wanted.ok()) return std::move(wanted.error());
  OpenQuestion question;
  question.directory = handle;
  question.access = access;
  question.share = share;
  question.options = options;
  auto opened = OpenObject(question);
  if (!opened.ok()) return opened;
  // NTFS opens the object itself. Wine opens its name again, and so may a filter or a redirector.
  auto found = FileIdOf(opened.value().value());
  if (!found.ok()) return std::move(found.error());
  if (!(found.value() == wanted.value())) {
    return FoundHere(kOpen, "ESTALE", "the system opened another object");
  }
  return opened;
}

}  // namespace fe
