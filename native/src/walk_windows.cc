// Walking to a parent component by component, and the last step to the object.
//
// Each component is opened relative to the handle of the one before, as itself and not as what it
// leads to, so no link can come between. Bits of a handle that only looks are not counted when
// another opener's share mode is judged, so the handles stand in nobody's way (IoCheckShareAccess
// in the Windows Driver Kit); but while one is held, Windows refuses to rename a directory above
// it.
//
// Sources: NtCreateFile in the Windows Driver Kit, GetFullPathNameW, "File path formats on Windows
// systems" of the Windows documentation.
#include "walk_windows.h"

#include "open_file_windows.h"

namespace fe {
namespace {

constexpr const char* kOpen = "NtCreateFile";

bool IsDriveLetter(wchar_t letter) {
  return (letter >= L'A' && letter <= L'Z') || (letter >= L'a' && letter <= L'z');
}

bool StartsWith(std::wstring_view text, std::wstring_view start) {
  return text.substr(0, start.size()) == start;
}

OsError NotAPath(const char* operation) {
  return FoundHere(operation, "EINVAL",
                   "an absolute path without empty components, \".\" and \"..\" is wanted");
}

// A real path, taken apart.
struct WholePath {
  // Of the object manager, with a backslash at its end: `\??\C:\`, `\??\UNC\server\share\`.
  std::wstring root;
  std::vector<std::wstring> components;
};

// The length of the root in `path`, 0 if there is none.
size_t RootLength(std::wstring_view path) {
  if (path.size() >= 3 && IsDriveLetter(path[0]) && path[1] == L':' && path[2] == L'\\') return 3;
  if (!StartsWith(path, L"\\\\")) return 0;
  const size_t share = path.find(L'\\', 2);
  if (share == std::wstring::npos || share == 2) return 0;
  const size_t end = path.find(L'\\', share + 1);
  return end == std::wstring::npos || end == share + 1 ? 0 : end + 1;
}

Result<WholePath> TakeApart(const std::string& real_path) {
  auto wide = ToWide(real_path);
  if (!wide) return NotAPath(kOpen);
  // No name has a slash in it, so there is one reading only.
  for (wchar_t& character : *wide) {
    if (character == L'/') character = L'\\';
  }
  const size_t root = RootLength(*wide);
  if (root == 0) return NotAPath(kOpen);
  WholePath whole;
  whole.root = (*wide)[1] == L':' ? L"\\??\\" + wide->substr(0, root)
                                 : L"\\??\\UNC" + wide->substr(1, root - 1);
  for (size_t start = root; start < wide->size();) {
    const size_t end = std::min(wide->find(L'\\', start), wide->size());
    auto name = NameOf(kOpen, ToUtf8(std::wstring_view(*wide).substr(start, end - start)));
    if (!name.ok()) return std::move(name.error());
    whole.components.push_back(std::move(name.value()));
    start = end + 1;
    // A backslash at the end.
    if (start == wide->size() && end != wide->size()) return NotAPath(kOpen);
  }
  return whole;
}

Result<Handle> OpenRoot(const WholePath& whole) {
  return OpenObject({.name = whole.root, .options = FILE_DIRECTORY_FILE});
}

// One step. Error: ELOOP, if a link stands there.
Result<Handle> Step(HANDLE directory, const std::wstring& name) {
  auto opened = OpenObject({.directory = directory, .name = name});
  if (!opened.ok()) return opened;
  FILE_ATTRIBUTE_TAG_INFO tag{};
  if (!GetFileInformationByHandleEx(opened.value().value(), FileAttributeTagInfo, &tag,
                                    sizeof tag)) {
    return LastError("GetFileInformationByHandleEx");
  }
  const bool is_link = (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
                       IsReparseTagNameSurrogate(tag.ReparseTag);
  if (is_link) return FoundHere(kOpen, "ELOOP", "a link stands there");
  return opened;
}

Result<Handle> StepInto(HANDLE directory, const std::wstring& name) {
  auto next = Step(directory, name);
  if (!next.ok()) return next;
  FILE_STANDARD_INFO standard{};
  if (!GetFileInformationByHandleEx(next.value().value(), FileStandardInfo, &standard,
                                    sizeof standard)) {
    return LastError("GetFileInformationByHandleEx");
  }
  if (!standard.Directory) return FoundHere(kOpen, "ENOTDIR", "it is not a directory");
  return next;
}

}  // namespace

Result<Walked> WalkTo(const std::string& real_path, WalkRoute) {
  auto whole = TakeApart(real_path);
  if (!whole.ok()) return std::move(whole.error());
  auto parent = OpenRoot(whole.value());
  if (!parent.ok()) return std::move(parent.error());
  const auto& components = whole.value().components;
  for (size_t i = 0; i + 1 < components.size(); ++i) {
    auto next = StepInto(parent.value().value(), components[i]);
    if (!next.ok()) return std::move(next.error());
    parent.value() = std::move(next.value());
  }
  auto target = components.empty() ? OpenRoot(whole.value())
                                   : Step(parent.value().value(), components.back());
  if (!target.ok()) return std::move(target.error());
  return Walked{Keep(std::move(parent.value())), Keep(std::move(target.value()))};
}

Result<Descriptor> Reopen(int descriptor, Access access) {
  const bool writes = access == Access::kReadWrite;
  auto opened = OpenAgain(HandleOf(descriptor), writes ? kWrite : kRead, kShareAll,
                          FILE_NON_DIRECTORY_FILE);
  if (!opened.ok()) return std::move(opened.error());
  if (writes) return KeepWritable(std::move(opened.value()));
  return Keep(std::move(opened.value()));
}

Result<std::wstring> ObjectPathOf(const char* operation, const std::string& path) {
  const auto wide = ToWide(path);
  if (!wide || wide->empty() || wide->find(L'\0') != std::wstring::npos) {
    return FoundHere(operation, "EINVAL", "a path is Unicode, is not empty and has no NUL");
  }
  std::wstring full(0x8000, L'\0');
  const DWORD length =
      GetFullPathNameW(wide->c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr);
  if (length == 0) return LastError("GetFullPathNameW");
  if (length >= full.size()) return FoundHere(operation, "ENAMETOOLONG", "the path is too long");
  full.resize(length);
  if (RootLength(full + L"\\") == 0 || StartsWith(full, L"\\\\.\\") ||
      StartsWith(full, L"\\\\?\\")) {
    return FoundHere(operation, "EINVAL", "it leads to no file of a drive or of a share");
  }
  return full[1] == L':' ? L"\\??\\" + full : L"\\??\\UNC" + full.substr(1);
}

}  // namespace fe
