// Room on the disk for a file that is about to grow, so that a full disk is found before a byte of
// it has changed.
//
// The room is behind the end of the file, all of it or none. What is not used is given back when
// the last handle is closed.
//
// Sources: fcntl(2) of macOS, F_PREALLOCATE; futimens(2).
#include <fcntl.h>
#include <sys/stat.h>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

// What a call that failed may have done all the same. Whether it does here is not known, so it is
// looked at. What cannot be put back stays.
void PutBack(int file, const struct stat& before) {
  struct stat now {};
  if (fstat(file, &now) != 0) return;
  const auto lost = before.st_mode & ~now.st_mode & (S_ISUID | S_ISGID);
  if (lost != 0 && fchmod(file, (now.st_mode | lost) & 07777) != 0) return;
  const bool is_same_time = now.st_mtimespec.tv_sec == before.st_mtimespec.tv_sec &&
                            now.st_mtimespec.tv_nsec == before.st_mtimespec.tv_nsec;
  if (is_same_time) return;
  const struct timespec times[] = {{0, UTIME_OMIT}, before.st_mtimespec};
  futimens(file, times);
}

}  // namespace

Result<bool> Reserve(int file, uint64_t size_bytes) {
  struct stat before {};
  if (fstat(file, &before) != 0) return LastError("fstat");
  const auto size = static_cast<uint64_t>(before.st_size);
  if (size_bytes <= size) return true;
  fstore_t wanted{};
  wanted.fst_flags = F_ALLOCATEALL;
  wanted.fst_posmode = F_PEOFPOSMODE;
  wanted.fst_length = static_cast<off_t>(size_bytes - size);
  if (Retry([&] { return fcntl(file, F_PREALLOCATE, &wanted); }) == 0) return true;
  const bool cannot_say =
      errno == EOPNOTSUPP || errno == ENOTSUP || errno == EINVAL || errno == ENOTTY;
  if (cannot_say) return false;
  const auto error = LastError("fcntl");
  PutBack(file, before);
  return error;
}

}  // namespace fe
