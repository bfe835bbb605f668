// See content_windows.h.
//
// Sources: ReadFile, WriteFile, SetFileInformationByHandle and FlushFileBuffers of the Windows
// documentation.
#include "content_windows.h"

#include <algorithm>

#include "open_file_windows.h"

namespace fe {
namespace {

// A length is told in 32 bits.
constexpr size_t kMaxTransfer = 1024 * 1024 * 1024;

OVERLAPPED At(uint64_t position) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(position);
  place.OffsetHigh = static_cast<DWORD>(position >> 32);
  return place;
}

// Access is judged when a file is opened, so a later "access denied" means a handle without the
// right.
OsError ErrorOfUse(const char* operation) {
  const int number = static_cast<int>(GetLastError());
  OsError error = ErrorFromNumber(operation, number);
  if (number == ERROR_ACCESS_DENIED) error.code = "EBADF";
  return error;
}

bool IsDirectory(HANDLE handle) {
  FILE_STANDARD_INFO standard{};
  return GetFileInformationByHandleEx(handle, FileStandardInfo, &standard, sizeof standard) &&
         standard.Directory;
}

}  // namespace

Result<size_t> ReadAt(int file, uint8_t* bytes, size_t count, uint64_t position) {
  OVERLAPPED place = At(position);
  DWORD done = 0;
  const auto length = static_cast<DWORD>(std::min(count, kMaxTransfer));
  if (ReadFile(HandleOf(file), bytes, length, &done, &place)) return size_t{done};
  if (GetLastError() == ERROR_HANDLE_EOF) return size_t{0};
  return ErrorOfUse("ReadFile");
}

Result<size_t> WriteAt(int file, const uint8_t* bytes, size_t count, uint64_t position) {
  OVERLAPPED place = At(position);
  DWORD done = 0;
  const auto length = static_cast<DWORD>(std::min(count, kMaxTransfer));
  if (WriteFile(HandleOf(file), bytes, length, &done, &place)) return size_t{done};
  return ErrorOfUse("WriteFile");
}

Status SetLength(int file, uint64_t size_bytes) {
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size_bytes);
  if (SetFileInformationByHandle(HandleOf(file), FileEndOfFileInfo, &end, sizeof end)) {
    return Done{};
  }
  return ErrorOfUse("SetFileInformationByHandle");
}

Status Flush(int file) {
  const HANDLE handle = HandleOf(file);
  if (FlushFileBuffers(handle)) return Done{};
  if (GetLastError() != ERROR_ACCESS_DENIED) return LastError("FlushFileBuffers");
  if (IsDirectory(handle)) {
    return FoundHere("FlushFileBuffers", "EOPNOTSUPP", "a directory that may not be changed");
  }
  // A handle that reads only: what was written through others is flushed by one that may write.
  auto writer = OpenAgain(handle, FILE_WRITE_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE, kShareAll,
                          FILE_NON_DIRECTORY_FILE);
  if (!writer.ok()) return std::move(writer.error());
  if (!FlushFileBuffers(writer.value().value())) return LastError("FlushFileBuffers");
  return Done{};
}

}  // namespace fe
