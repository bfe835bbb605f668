// The lock of an open file. The kernel frees it with the last handle, so also when a process is
// killed.
//
// Not fcntl(2) locks: those of a process vanish as soon as it closes any handle of the file.
// A6 of docs/protocol.md rests on this.
// Source: flock(2).
#include <sys/file.h>

#include "os.h"
#include "posix_call.h"

namespace fe {

Result<bool> TryLock(int file) {
  if (Retry([&] { return flock(file, LOCK_EX | LOCK_NB); }) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  return LastError("flock");
}

}  // namespace fe
