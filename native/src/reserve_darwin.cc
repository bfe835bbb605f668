// Room on the disk for a file that is about to grow, so that a full disk is found before a byte of
// it has changed.
//
// The room is behind the end of the file, all of it or none. What is not used is given back when
// the last handle is closed.
//
// Source: fcntl(2) of macOS, F_PREALLOCATE.
#include <fcntl.h>
#include <sys/stat.h>

#include "os.h"
#include "posix_call.h"

namespace fe {

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
  return LastError("fcntl");
}

}  // namespace fe
