// Room on the disk for a file that is about to grow, so that a full disk is found before a byte of
// it has changed.
//
// fallocate(2) may clear set-id bits and moves the modification time, even where it fails after a
// part; cutting the part back moves the time as well. So on failure both are undone here.
// Sources: fallocate(2), futimens(3).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

// Gives blocks behind the end of the file back, and its times.
void CutBack(int file, const struct stat& before) {
  struct stat now {};
  if (fstat(file, &now) != 0 || now.st_blocks == before.st_blocks) return;
  // A failure leaves blocks reserved, which cost room and nothing else.
  if (ftruncate(file, before.st_size) != 0) return;
  const struct timespec times[] = {{0, UTIME_OMIT}, before.st_mtim};
  futimens(file, times);
}

}  // namespace

Result<bool> Reserve(int file, uint64_t size_bytes) {
  struct stat before {};
  if (fstat(file, &before) != 0) return LastError("fstat");
  const auto size = static_cast<uint64_t>(before.st_size);
  if (size_bytes <= size) return true;
  const auto from = static_cast<off_t>(size);
  const auto length = static_cast<off_t>(size_bytes - size);
  if (Retry([&] { return fallocate(file, FALLOC_FL_KEEP_SIZE, from, length); }) == 0) return true;
  const auto error = LastError("fallocate");
  if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return false;
  CutBack(file, before);
  return error;
}

}  // namespace fe
