// Names of files of the store: a second one, another one, none.
//
// Where the filesystem knows no POSIX removal (FAT, network shares, Wine), a removed file keeps its
// name until its last handle is closed, and nobody can make a file of that name meanwhile. So there
// it is given another name first. If this process is killed between the two steps the file stays
// under that other name, which nothing here looks at; it is as private as the directory.
//
// Sources: NtSetInformationFile in the Windows Driver Kit (FILE_DISPOSITION_INFORMATION_EX,
// FILE_LINK_INFORMATION, FILE_RENAME_INFORMATION).
#include <cstring>
#include <cwchar>

#include "name_windows.h"

namespace fe {
namespace {

constexpr const char* kSet = "NtSetInformationFile";
constexpr std::wstring_view kRemovedPrefix = L".fe-removed-";

bool IsUnknownCall(NTSTATUS status) {
  return status == nt::kInvalidParameter || status == nt::kInvalidInfoClass ||
         status == nt::kNotSupported || status == nt::kNotImplemented ||
         status == nt::kInvalidDeviceRequest;
}

NTSTATUS SetDisposition(HANDLE file) {
  ULONG flags =
      nt::kDispositionDelete | nt::kDispositionPosix | nt::kDispositionIgnoreReadOnly;
  IO_STATUS_BLOCK status{};
  return nt::Ntdll().set_information(file, &status, &flags, sizeof flags, nt::kFileDispositionEx);
}

// No other file has it: the number of this process, that of the call, and the time.
std::wstring NameForRemoved() {
  static LONG64 calls = 0;
  FILETIME now{};
  GetSystemTimePreciseAsFileTime(&now);
  wchar_t rest[64];
  std::swprintf(rest, 64, L"%lx-%llx-%lx%08lx", static_cast<unsigned long>(GetCurrentProcessId()),
                static_cast<unsigned long long>(InterlockedIncrement64(&calls)),
                static_cast<unsigned long>(now.dwHighDateTime),
                static_cast<unsigned long>(now.dwLowDateTime));
  return std::wstring(kRemovedPrefix) + rest;
}

Status RemoveBySteps(HANDLE directory, const std::wstring& name, HANDLE file) {
  const NTSTATUS renamed = SetName(file, nt::kFileRename, directory, NameForRemoved());
  if (!nt::Succeeded(renamed)) return ErrorFromStatus(kSet, renamed);
  BOOLEAN removes = TRUE;
  IO_STATUS_BLOCK status{};
  const NTSTATUS removed =
      nt::Ntdll().set_information(file, &status, &removes, sizeof removes, nt::kFileDisposition);
  if (nt::Succeeded(removed)) return Done{};
  // Taken back, so that a failed call has changed nothing.
  SetName(file, nt::kFileRename, directory, name);
  return ErrorFromStatus(kSet, removed);
}

bool IsSameName(std::wstring_view one, std::wstring_view other) {
  return CompareStringOrdinal(one.data(), static_cast<int>(one.size()), other.data(),
                              static_cast<int>(other.size()), TRUE) == CSTR_EQUAL;
}

bool IsSameObject(HANDLE one, HANDLE other) {
  auto first = FileIdOf(one);
  auto second = FileIdOf(other);
  return first.ok() && second.ok() && first.value() == second.value();
}

// Looks whether the file now has that name: some systems answer "done" and have done nothing.
Status Confirm(HANDLE file, HANDLE directory, const std::wstring& name) {
  auto found = OpenObject({.directory = directory, .name = name});
  if (!found.ok()) return std::move(found.error());
  if (IsSameObject(found.value().value(), file)) return Done{};
  return FoundHere(kSet, "EIO", "the system said that it gave a name, and did not");
}

struct Names {
  std::wstring from;
  std::wstring to;
};

Result<Names> NamesOf(const std::string& from, const std::string& to) {
  auto wide_from = NameOf(kSet, from);
  if (!wide_from.ok()) return std::move(wide_from.error());
  auto wide_to = NameOf(kSet, to);
  if (!wide_to.ok()) return std::move(wide_to.error());
  return Names{std::move(wide_from.value()), std::move(wide_to.value())};
}

}  // namespace

bool IsNameOfRemoved(std::wstring_view name) {
  return name.substr(0, kRemovedPrefix.size()) == kRemovedPrefix;
}

NTSTATUS SetName(HANDLE file, int information_class, HANDLE root, std::wstring_view name) {
  std::vector<unsigned char> room(sizeof(nt::NameInformation) + name.size() * sizeof(wchar_t));
  auto* information = reinterpret_cast<nt::NameInformation*>(room.data());
  information->replace_if_exists = FALSE;
  information->root_directory = root;
  information->name_bytes = static_cast<ULONG>(name.size() * sizeof(wchar_t));
  std::memcpy(information->name, name.data(), information->name_bytes);
  IO_STATUS_BLOCK status{};
  return nt::Ntdll().set_information(file, &status, information, static_cast<ULONG>(room.size()),
                                     information_class);
}

Status LinkAt(int from_directory, const std::string& from, int to_directory,
              const std::string& to) {
  auto names = NamesOf(from, to);
  if (!names.ok()) return std::move(names.error());
  auto file = OpenObject({.directory = HandleOf(from_directory),
                                           .name = names.value().from,
                                           .access = kLook | FILE_WRITE_ATTRIBUTES});
  if (!file.ok()) return std::move(file.error());
  const HANDLE directory = HandleOf(to_directory);
  const NTSTATUS linked =
      SetName(file.value().value(), nt::kFileLink, directory, names.value().to);
  if (!nt::Succeeded(linked)) return ErrorFromStatus(kSet, linked);
  return Confirm(file.value().value(), directory, names.value().to);
}

Status RenameAt(int from_directory, const std::string& from, int to_directory,
                const std::string& to) {
  auto names = NamesOf(from, to);
  if (!names.ok()) return std::move(names.error());
  const HANDLE source = HandleOf(from_directory);
  const HANDLE directory = HandleOf(to_directory);
  auto file = OpenObject({.directory = source,
                                           .name = names.value().from,
                                           .access = DELETE | kLook});
  if (!file.ok()) return std::move(file.error());
  // Windows would say that it is done: the file has this name.
  if (IsSameName(names.value().from, names.value().to) && IsSameObject(source, directory)) {
    return FoundHere(kSet, "EEXIST", "it has this name already");
  }
  const NTSTATUS renamed =
      SetName(file.value().value(), nt::kFileRename, directory, names.value().to);
  if (!nt::Succeeded(renamed)) return ErrorFromStatus(kSet, renamed);
  return Confirm(file.value().value(), directory, names.value().to);
}

Status UnlinkAt(int directory, const std::string& name) {
  auto wide = NameOf(kSet, name);
  if (!wide.ok()) return std::move(wide.error());
  const HANDLE handle = HandleOf(directory);
  auto file = OpenObject({.directory = handle,
                           .name = wide.value(),
                           .access = DELETE | kLook,
                           .options = FILE_OPEN_REPARSE_POINT | FILE_NON_DIRECTORY_FILE});
  if (!file.ok()) return std::move(file.error());
  const NTSTATUS removed = SetDisposition(file.value().value());
  if (nt::Succeeded(removed)) return Done{};
  if (!IsUnknownCall(removed)) return ErrorFromStatus(kSet, removed);
  return RemoveBySteps(handle, wide.value(), file.value().value());
}

}  // namespace fe
