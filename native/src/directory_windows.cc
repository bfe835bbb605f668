// Directories of the store: opening, listing, making.
//
// Sources: NtCreateFile and NtQueryDirectoryFile in the Windows Driver Kit.
#include "open_file_windows.h"
#include "name_windows.h"
#include "walk_windows.h"

namespace fe {
namespace {

constexpr ACCESS_MASK kList = kLook | FILE_LIST_DIRECTORY;
// A directory is flushed through a handle that may change it only.
constexpr ACCESS_MASK kChange = kList | FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY;

Result<Handle> OpenDirectory(OpenQuestion question) {
  question.access = kChange;
  auto opened = OpenObject(question);
  if (opened.ok() || opened.error().code != "EACCES") return opened;
  question.access = kList;
  return OpenObject(question);
}

}  // namespace

Result<Descriptor> OpenDirectoryByPath(const std::string& path) {
  auto object_path = ObjectPathOf("NtCreateFile", path);
  if (!object_path.ok()) return std::move(object_path.error());
  auto opened =
      OpenDirectory({.name = std::move(object_path.value()), .options = FILE_DIRECTORY_FILE});
  if (!opened.ok()) return std::move(opened.error());
  return Keep(std::move(opened.value()));
}

Result<Descriptor> OpenDirectoryAt(int directory, const std::string& name) {
  auto wide = NameOf("NtCreateFile", name);
  if (!wide.ok()) return std::move(wide.error());
  auto opened = OpenDirectory({.directory = HandleOf(directory),
                               .name = std::move(wide.value()),
                               .options = FILE_DIRECTORY_FILE | FILE_OPEN_REPARSE_POINT});
  if (!opened.ok()) return std::move(opened.error());
  auto entry = EntryStatusOfHandle(opened.value().value());
  if (!entry.ok()) return std::move(entry.error());
  if (entry.value().kind == FileKind::kSymlink) {
    return FoundHere("NtCreateFile", "ELOOP", "a link stands there");
  }
  return Keep(std::move(opened.value()));
}

Result<std::vector<std::string>> ListNames(int directory) {
  // Opened anew: a handle has one place in the list, and some systems never read it a second time.
  auto own = OpenAgain(HandleOf(directory), kList, kShareAll, FILE_DIRECTORY_FILE);
  if (!own.ok()) return std::move(own.error());
  std::vector<std::string> names;
  alignas(nt::DirectoryEntry) unsigned char room[16 * 1024];
  for (bool restart = true;; restart = false) {
    IO_STATUS_BLOCK status{};
    const NTSTATUS answer = nt::Ntdll().query_directory(
        own.value().value(), nullptr, nullptr, nullptr, &status, room, sizeof room,
        nt::kFileDirectory, FALSE, nullptr, restart ? TRUE : FALSE);
    if (answer == nt::kNoMoreFiles || answer == nt::kNoSuchFile) return names;
    if (!nt::Succeeded(answer)) return ErrorFromStatus("NtQueryDirectoryFile", answer);
    const unsigned char* place = room;
    for (;;) {
      const auto* entry = reinterpret_cast<const nt::DirectoryEntry*>(place);
      const std::wstring_view name(entry->name, entry->name_bytes / sizeof(wchar_t));
      if (name != L"." && name != L".." && !IsNameOfRemoved(name)) names.push_back(ToUtf8(name));
      if (entry->next_entry_offset == 0) break;
      place += entry->next_entry_offset;
    }
  }
}

Status MakeDirectoryAt(int directory, const std::string& name, uint32_t mode) {
  auto wide = NameOf("NtCreateFile", name);
  if (!wide.ok()) return std::move(wide.error());
  auto security = PrivateSecurity::Make("NtCreateFile", mode, true);
  if (!security.ok()) return std::move(security.error());
  // Made with its access list in one step: no moment in which others could come in.
  auto made = OpenObject({.directory = HandleOf(directory),
                                           .name = std::move(wide.value()),
                                           .disposition = FILE_CREATE,
                                           .options = FILE_DIRECTORY_FILE,
                                           .security = security.value().get()});
  if (!made.ok()) return std::move(made.error());
  return Done{};
}

}  // namespace fe
