// From a handle that can neither read nor write to one that can.
//
// Sources: open(2) on O_PATH, proc_pid_fd(5).
#include <fcntl.h>

#include "os.h"
#include "posix_call.h"
#include "proc_linux.h"

namespace fe {

Result<Descriptor> Reopen(int descriptor, Access access) {
  const int mode = access == Access::kRead ? O_RDONLY : O_RDWR;
  // O_NONBLOCK: a lease answers EAGAIN instead of being waited for, and a FIFO cannot hang.
  const int flags = mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  Descriptor opened(Retry([&] { return open(ProcPath(descriptor).text(), flags); }));
  if (opened.number() < 0) return LastProcError("open");
  return opened;
}

}  // namespace fe
