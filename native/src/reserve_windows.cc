// Room for a file to grow.
//
// An allocation smaller than the file would cut it off, and another writer may let it grow just
// now; so it is set only while others are kept out. Else it is only looked whether there is room.
//
// Sources: SetFileInformationByHandle (FILE_ALLOCATION_INFO) of the Windows documentation,
// NtQueryVolumeInformationFile (FILE_FS_SIZE_INFORMATION) in the Windows Driver Kit.
#include "open_file_windows.h"

namespace fe {
namespace {

// None = cannot be told.
std::optional<uint64_t> FreeBytes(HANDLE handle) {
  nt::VolumeSize size{};
  IO_STATUS_BLOCK status{};
  if (!nt::Succeeded(
          nt::Ntdll().query_volume(handle, &status, &size, sizeof size, nt::kVolumeSize))) {
    return std::nullopt;
  }
  return static_cast<uint64_t>(size.available_units.QuadPart) * size.sectors_per_unit *
         size.bytes_per_sector;
}

}  // namespace

Result<bool> Reserve(int file, uint64_t size_bytes) {
  const HANDLE handle = HandleOf(file);
  FILE_STANDARD_INFO standard{};
  if (!GetFileInformationByHandleEx(handle, FileStandardInfo, &standard, sizeof standard)) {
    return LastError("GetFileInformationByHandleEx");
  }
  const auto allocated = static_cast<uint64_t>(standard.AllocationSize.QuadPart);
  const auto present = static_cast<uint64_t>(standard.EndOfFile.QuadPart);
  if (size_bytes <= present || size_bytes <= allocated) return true;
  const auto free_bytes = FreeBytes(handle);
  if (free_bytes && *free_bytes < size_bytes - allocated) {
    return ErrorFromNumber("NtQueryVolumeInformationFile", ERROR_DISK_FULL);
  }
  if (!HasMark(file, FileMark::kExclusive)) return false;
  FILE_ALLOCATION_INFO allocation{};
  allocation.AllocationSize.QuadPart = static_cast<LONGLONG>(size_bytes);
  if (SetFileInformationByHandle(handle, FileAllocationInfo, &allocation, sizeof allocation)) {
    return true;
  }
  OsError error = LastError("SetFileInformationByHandle");
  if (error.code == "ENOSPC" || error.code == "EDQUOT" || error.code == "EFBIG") return error;
  // A filesystem that has no such thing.
  return false;
}

}  // namespace fe
