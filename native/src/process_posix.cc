// Whether a process exists.
//
// Source: kill(2).
#include "process_posix.h"

#include <signal.h>

#include <cerrno>
#include <limits>

#include "os.h"

namespace fe {

ProcessProbe ProbeProcess(int64_t pid) {
  ProcessProbe probe;
  if (pid < 1 || pid > std::numeric_limits<pid_t>::max()) return probe;
  if (kill(static_cast<pid_t>(pid), 0) == 0) {
    probe.answer = ProcessAnswer::kExists;
  } else if (errno == ESRCH) {
    probe.answer = ProcessAnswer::kAbsent;
    return probe;
  } else if (errno == EPERM) {
    probe.answer = ProcessAnswer::kDenied;
  }
  probe.start_time = StartTimeOf(static_cast<pid_t>(pid));
  return probe;
}

}  // namespace fe
