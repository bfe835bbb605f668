// Whether a process exists, and when it started.
//
// The time is what the clock said when the process was made, in microseconds since 1970; the kernel
// keeps it as it was. It may not be told for a process of somebody else.
//
// Sources: kill(2); <libproc.h> and <sys/proc_info.h> of macOS (proc_pidinfo, PROC_PIDTBSDINFO).
#include <libproc.h>
#include <signal.h>
#include <sys/proc_info.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

#include "os.h"

namespace fe {
namespace {

std::optional<uint64_t> StartTimeOf(pid_t pid) {
  proc_bsdinfo info{};
  const int size = sizeof info;
  if (proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, size) != size) return std::nullopt;
  return info.pbi_start_tvsec * 1'000'000 + info.pbi_start_tvusec;
}

}  // namespace

std::optional<uint64_t> OwnStartTime() { return StartTimeOf(getpid()); }

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
