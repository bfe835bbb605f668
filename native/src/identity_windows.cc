// What a handle says of its file, in one go. Access lists are in security_windows.cc, filesystems
// in filesystem_windows.cc.
//
// Sources: GetFileInformationByHandleEx, FILE_ID_INFO, FILE_BASIC_INFO and "Reparse Point Tags" of
// the Windows documentation.
#include <cstring>
#include <limits>

#include "open_file_windows.h"

namespace fe {
namespace {

// 1970 in the unit of FILETIME, 100 ns since 1601.
constexpr int64_t kUnixEpoch = 116444736000000000;

int64_t Nanoseconds(const LARGE_INTEGER& time) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 100;
  const int64_t since_epoch = time.QuadPart - kUnixEpoch;
  if (since_epoch > kMost) return std::numeric_limits<int64_t>::max();
  if (since_epoch < -kMost) return std::numeric_limits<int64_t>::min();
  return since_epoch * 100;
}

template <typename Information>
bool Ask(HANDLE handle, FILE_INFO_BY_HANDLE_CLASS which, Information& answer) {
  return GetFileInformationByHandleEx(handle, which, &answer, sizeof answer) != 0;
}

// A tag that stands for another name is a link: a symbolic link, a junction, a mounted volume. Any
// other belongs to a filter (a cloud, deduplication) that answers for the content itself; of a file
// of that kind nothing is known here, while a directory is passed through.
FileKind KindOf(const FILE_ATTRIBUTE_TAG_INFO& tag) {
  const bool is_directory = (tag.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  if ((tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    if (IsReparseTagNameSurrogate(tag.ReparseTag)) return FileKind::kSymlink;
    if (!is_directory) return FileKind::kUnknown;
  }
  if (is_directory) return FileKind::kDirectory;
  if ((tag.FileAttributes & FILE_ATTRIBUTE_DEVICE) != 0) return FileKind::kCharacterDevice;
  return FileKind::kRegular;
}

// There are no permission bits; those for others are what the access list means to the judge in
// lib/. This is the owner's part.
uint32_t OwnModeOf(FileKind kind, DWORD attributes) {
  if (kind == FileKind::kDirectory) return 0700;
  return (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? 0400 : 0600;
}

uint64_t LinkCount(const FILE_STANDARD_INFO& standard) {
  // The name that is on its way out does not count; some systems count it on.
  if (standard.DeletePending && standard.NumberOfLinks == 1) return 0;
  return standard.NumberOfLinks;
}

// Where none is kept, zero is answered, or the time of the last write, which moves. So one that is
// the same as that is not taken: a file that was never written to since it was made has none here,
// and an identity with and one without are of one file (lib/file-identity.ts).
bool HasBirthTime(const FILE_BASIC_INFO& basic) {
  return basic.CreationTime.QuadPart != 0 &&
         basic.CreationTime.QuadPart != basic.LastWriteTime.QuadPart;
}

}  // namespace

Result<FileId> FileIdOf(HANDLE handle) {
  FILE_ID_INFO id{};
  if (Ask(handle, FileIdInfo, id)) {
    FileId answer;
    answer.volume = id.VolumeSerialNumber;
    // Little-endian, as all of Windows.
    std::memcpy(&answer.low, id.FileId.Identifier, 8);
    std::memcpy(&answer.high, id.FileId.Identifier + 8, 8);
    return answer;
  }
  // FAT knows shorter ones only, and always so.
  BY_HANDLE_FILE_INFORMATION old{};
  if (!GetFileInformationByHandle(handle, &old)) return LastError("GetFileInformationByHandle");
  return FileId{old.dwVolumeSerialNumber, 0,
                uint64_t{old.nFileIndexHigh} << 32 | old.nFileIndexLow};
}

Result<EntryStatus> EntryStatusOfHandle(HANDLE handle) {
  FILE_BASIC_INFO basic{};
  FILE_STANDARD_INFO standard{};
  FILE_ATTRIBUTE_TAG_INFO tag{};
  if (!Ask(handle, FileBasicInfo, basic) || !Ask(handle, FileStandardInfo, standard) ||
      !Ask(handle, FileAttributeTagInfo, tag)) {
    return LastError("GetFileInformationByHandleEx");
  }
  auto id = FileIdOf(handle);
  if (!id.ok()) return std::move(id.error());
  auto security = SecurityOf(handle);
  if (!security.ok()) return std::move(security.error());
  EntryStatus entry;
  entry.kind = KindOf(tag);
  entry.device = id.value().volume;
  entry.file = id.value().low;
  entry.file_high = id.value().high;
  entry.size_bytes = static_cast<uint64_t>(standard.EndOfFile.QuadPart);
  entry.link_count = LinkCount(standard);
  entry.mode = OwnModeOf(entry.kind, basic.FileAttributes);
  entry.security = std::move(security.value());
  entry.modified_ns = Nanoseconds(basic.LastWriteTime);
  if (HasBirthTime(basic)) entry.birth_time_ns = Nanoseconds(basic.CreationTime);
  return entry;
}

Result<EntryStatus> EntryStatusOf(int descriptor) {
  return EntryStatusOfHandle(HandleOf(descriptor));
}

Result<EntryStatus> EntryStatusAt(int directory, const std::string& name) {
  auto wide = NameOf("NtCreateFile", name);
  if (!wide.ok()) return std::move(wide.error());
  auto opened = OpenObject({.directory = HandleOf(directory),
                                             .name = std::move(wide.value())});
  if (!opened.ok()) return std::move(opened.error());
  return EntryStatusOfHandle(opened.value().value());
}

// The permission is part of the descriptor, which is read in any case.
Result<FileStatus> StatusOf(int descriptor, int, Permission) {
  const HANDLE handle = HandleOf(descriptor);
  auto entry = EntryStatusOfHandle(handle);
  if (!entry.ok()) return std::move(entry.error());
  FileStatus status;
  status.identity.volume = {0, entry.value().device};
  status.entry = std::move(entry.value());
  status.filesystem = FilesystemOf(handle);
  return status;
}

}  // namespace fe
