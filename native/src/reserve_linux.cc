// Room on the disk for a file that is about to grow, so that a full disk is found before a byte of
// it has changed.
//
// fallocate(2) clears set-id bits and moves the modification time before it looks for room: on ext4
// also where it gives none at all, on tmpfs only after a part. Cutting a part back moves the time
// as well. So on failure all of this is undone here; file capabilities are not.
// Sources: fallocate(2), futimens(3).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

// Gives blocks behind the end of the file back, then its set-id bits and its time. What fails here
// costs room, or is seen by the comparison with the baseline, and nothing else.
void CutBack(int file, const struct stat& before) {
  struct stat now {};
  if (fstat(file, &now) != 0) return;
  if (now.st_blocks != before.st_blocks && ftruncate(file, before.st_size) != 0) return;
  if (fstat(file, &now) != 0) return;
  const auto lost = before.st_mode & ~now.st_mode & (S_ISUID | S_ISGID);
  if (lost != 0 && fchmod(file, (now.st_mode | lost) & 07777) != 0) return;
  const bool moved = now.st_mtim.tv_sec != before.st_mtim.tv_sec ||
                     now.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
  const struct timespec times[] = {{0, UTIME_OMIT}, before.st_mtim};
  if (moved) futimens(file, times);
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
