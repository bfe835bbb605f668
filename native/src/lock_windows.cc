// The lock of an open file. The system frees it with the handle, so also when a process is killed.
//
// It is a lock on one byte, which on Windows nobody else may read or write meanwhile; so the byte
// is one that no file has. Source: LockFileEx of the Windows documentation.
#include "open_file_windows.h"

namespace fe {
namespace {

constexpr DWORD kLockedByteHigh = 0x7fffffff;
constexpr DWORD kLockedByteLow = 0;

}  // namespace

Result<bool> TryLock(int file) {
  // A second lock of the same byte is refused even to the handle that has the first.
  if (HasMark(file, FileMark::kLocked)) return true;
  OVERLAPPED place{};
  place.Offset = kLockedByteLow;
  place.OffsetHigh = kLockedByteHigh;
  const DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  if (LockFileEx(HandleOf(file), flags, 0, 1, 0, &place)) {
    SetMark(file, FileMark::kLocked, true);
    return true;
  }
  const DWORD number = GetLastError();
  if (number == ERROR_LOCK_VIOLATION || number == ERROR_IO_PENDING) return false;
  return ErrorFromNumber("LockFileEx", static_cast<int>(number));
}

}  // namespace fe
