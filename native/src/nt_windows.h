// For the *_windows.cc files: what they call below the Win32 layer, and why.
//
// Only the native calls open relative to a directory that is held, make a directory with its access
// list in one step, and open an object anew by its handle. All are in the documentation of the
// Windows Driver Kit (NtCreateFile, NtSetInformationFile, NtQueryDirectoryFile and so on). The
// headers of compilers differ in which of them they declare, and how, so all stand here under own
// names and are looked up in ntdll.dll, which is in every process.
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#include <winternl.h>

#include <cstdint>

namespace fe::nt {

// Information classes of NtSetInformationFile.
inline constexpr int kFileRename = 10;
inline constexpr int kFileLink = 11;
inline constexpr int kFileDisposition = 13;
inline constexpr int kFileDispositionEx = 64;
// Of NtQueryDirectoryFile.
inline constexpr int kFileDirectory = 1;
// Of NtQueryVolumeInformationFile.
inline constexpr int kVolumeSize = 3;
inline constexpr int kVolumeDevice = 4;
inline constexpr int kVolumeAttribute = 5;

// Flags of FILE_DISPOSITION_INFORMATION_EX.
inline constexpr ULONG kDispositionDelete = 0x01;
inline constexpr ULONG kDispositionPosix = 0x02;
inline constexpr ULONG kDispositionIgnoreReadOnly = 0x10;

// FILE_RENAME_INFORMATION and FILE_LINK_INFORMATION, which are alike; the name follows.
struct NameInformation {
  BOOLEAN replace_if_exists;
  HANDLE root_directory;
  ULONG name_bytes;
  WCHAR name[1];
};

// FILE_DIRECTORY_INFORMATION; the name follows.
struct DirectoryEntry {
  ULONG next_entry_offset;
  ULONG file_index;
  LARGE_INTEGER times[4];
  LARGE_INTEGER end_of_file;
  LARGE_INTEGER allocation_size;
  ULONG attributes;
  ULONG name_bytes;
  WCHAR name[1];
};

// FILE_FS_DEVICE_INFORMATION.
struct VolumeDevice {
  ULONG device_type;
  ULONG characteristics;
};
inline constexpr ULONG kRemoteDevice = 0x10;

// FILE_FS_ATTRIBUTE_INFORMATION; the name follows.
struct VolumeAttribute {
  ULONG attributes;
  LONG maximum_component_name_length;
  ULONG name_bytes;
  WCHAR name[1];
};

// FILE_FS_SIZE_INFORMATION; what the caller's quota leaves.
struct VolumeSize {
  LARGE_INTEGER total_units;
  LARGE_INTEGER available_units;
  ULONG sectors_per_unit;
  ULONG bytes_per_sector;
};

// SYSTEM_TIMEOFDAY_INFORMATION, its first part.
struct TimeOfDay {
  LARGE_INTEGER boot_time;
  LARGE_INTEGER current_time;
};
inline constexpr int kSystemTimeOfDay = 3;

// Of ntstatus.h, which cannot stand beside windows.h.
inline constexpr NTSTATUS kInvalidInfoClass = static_cast<NTSTATUS>(0xC0000003);
inline constexpr NTSTATUS kNoMoreFiles = static_cast<NTSTATUS>(0x80000006);
inline constexpr NTSTATUS kNoSuchFile = static_cast<NTSTATUS>(0xC000000F);
inline constexpr NTSTATUS kSharingViolation = static_cast<NTSTATUS>(0xC0000043);
inline constexpr NTSTATUS kDeletePending = static_cast<NTSTATUS>(0xC0000056);
inline constexpr NTSTATUS kFileIsADirectory = static_cast<NTSTATUS>(0xC00000BA);
inline constexpr NTSTATUS kInvalidParameter = static_cast<NTSTATUS>(0xC000000D);
inline constexpr NTSTATUS kInvalidDeviceRequest = static_cast<NTSTATUS>(0xC0000010);
inline constexpr NTSTATUS kNotSupported = static_cast<NTSTATUS>(0xC00000BB);
inline constexpr NTSTATUS kNotImplemented = static_cast<NTSTATUS>(0xC0000002);

inline bool Succeeded(NTSTATUS status) { return status >= 0; }

struct Calls {
  NTSTATUS(NTAPI* create_file)
  (HANDLE* handle, ACCESS_MASK access, OBJECT_ATTRIBUTES* object, IO_STATUS_BLOCK* status,
   LARGE_INTEGER* allocation, ULONG attributes, ULONG share, ULONG disposition, ULONG options,
   void* extended, ULONG extended_bytes);
  NTSTATUS(NTAPI* set_information)
  (HANDLE file, IO_STATUS_BLOCK* status, void* information, ULONG bytes, int information_class);
  NTSTATUS(NTAPI* query_directory)
  (HANDLE directory, HANDLE event, void* apc, void* context, IO_STATUS_BLOCK* status,
   void* information, ULONG bytes, int information_class, BOOLEAN single, UNICODE_STRING* name,
   BOOLEAN restart);
  NTSTATUS(NTAPI* query_volume)
  (HANDLE file, IO_STATUS_BLOCK* status, void* information, ULONG bytes, int information_class);
  NTSTATUS(NTAPI* query_system)
  (int information_class, void* information, ULONG bytes, ULONG* answered);
  ULONG(NTAPI* dos_error)(NTSTATUS status);
};

// nt_windows.cc.
const Calls& Ntdll();

}  // namespace fe::nt

