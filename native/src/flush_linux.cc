// Making what was written durable.
//
// Source: fsync(2).
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {

Status Flush(int file) {
  if (fsync(file) != 0) return LastError("fsync");
  return Done{};
}

}  // namespace fe
