// Making what was written durable.
//
// fsync(2) only hands it to the drive, which may keep it in a cache for long. F_FULLFSYNC has the
// drive write it out. Where a filesystem has no such call, as on a network, fsync(2) must do, and
// says less (docs/platforms.md).
//
// Node's own fsync does the same, but asks for less after any error, also after one of the drive:
// then a success would prove nothing (A4 of docs/protocol.md).
//
// Sources: fsync(2) and fcntl(2) of macOS.
#include <fcntl.h>
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

bool MeansUnsupported(int number) {
  return number == ENOTSUP || number == EOPNOTSUPP || number == EINVAL || number == ENOTTY;
}

}  // namespace

Status Flush(int file) {
  if (fcntl(file, F_FULLFSYNC) == 0) return Done{};
  if (!MeansUnsupported(errno)) return LastError("fcntl");
  if (fsync(file) != 0) return LastError("fsync");
  return Done{};
}

}  // namespace fe
