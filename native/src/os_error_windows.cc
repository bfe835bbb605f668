// Numbers of GetLastError -> POSIX names, and NTSTATUS -> those.
//
// Source: "System Error Codes" of the Windows documentation. Where libuv has the same number, the
// name is the same as there, except for what a name or a share mode refused.
#include "open_file_windows.h"

namespace fe {
namespace {

const char* CodeOf(int number) {
  switch (number) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
      return "ENOENT";
    case ERROR_ACCESS_DENIED:
    case ERROR_CANT_ACCESS_FILE:
      return "EACCES";
    case ERROR_PRIVILEGE_NOT_HELD:
      return "EPERM";
    case ERROR_INVALID_HANDLE:
      return "EBADF";
    case ERROR_TOO_MANY_OPEN_FILES:
      return "EMFILE";
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_NO_SYSTEM_RESOURCES:
      return "ENOMEM";
    case ERROR_NOT_SAME_DEVICE:
      return "EXDEV";
    case ERROR_WRITE_PROTECT:
      return "EROFS";
    // Somebody has it open, locked or mapped in a way that excludes this.
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
    case ERROR_BUSY:
    case ERROR_DELETE_PENDING:
      return "EBUSY";
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return "ENOSPC";
    case ERROR_DISK_QUOTA_EXCEEDED:
      return "EDQUOT";
    case ERROR_FILE_TOO_LARGE:
      return "EFBIG";
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return "EEXIST";
    case ERROR_DIR_NOT_EMPTY:
      return "ENOTEMPTY";
    case ERROR_DIRECTORY:
      return "ENOTDIR";
    case ERROR_FILENAME_EXCED_RANGE:
      return "ENAMETOOLONG";
    case ERROR_INVALID_PARAMETER:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
      return "EINVAL";
    case ERROR_INVALID_FUNCTION:
    case ERROR_NOT_SUPPORTED:
      return "EOPNOTSUPP";
    case ERROR_TOO_MANY_LINKS:
      return "EMLINK";
    case ERROR_CANT_RESOLVE_FILENAME:
      return "ELOOP";
    default:
      return "EIO";
  }
}

std::string MessageOf(int number) {
  wchar_t text[256];
  const DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
  DWORD length = FormatMessageW(flags, nullptr, static_cast<DWORD>(number), 0, text, 256, nullptr);
  while (length > 0 && (text[length - 1] <= L' ' || text[length - 1] == L'.')) --length;
  if (length == 0) return "error " + std::to_string(number) + " of Windows";
  return ToUtf8({text, length});
}

}  // namespace

OsError ErrorFromNumber(const char* operation, int native_code) {
  return OsError{operation, CodeOf(native_code), native_code, MessageOf(native_code)};
}

OsError ErrorFromStatus(const char* operation, NTSTATUS status) {
  const int number = static_cast<int>(nt::Ntdll().dos_error(status));
  OsError error = ErrorFromNumber(operation, number);
  // The numbers of these two say no more than "access denied".
  if (status == nt::kFileIsADirectory) error.code = "EISDIR";
  if (status == nt::kDeletePending) error.code = "EBUSY";
  return error;
}

OsError FoundHere(const char* operation, const char* code, const char* message) {
  return OsError{operation, code, 0, message};
}

}  // namespace fe
