// When a process started.
//
// The time is what the clock said when the process was made, in microseconds since 1970; the kernel
// keeps it as it was. It may not be told for a process of somebody else.
//
// Sources: <libproc.h> and <sys/proc_info.h> of macOS (proc_pidinfo, PROC_PIDTBSDINFO).
#include "process_posix.h"

#include <libproc.h>
#include <sys/proc_info.h>
#include <unistd.h>

#include "os.h"

namespace fe {

std::optional<uint64_t> StartTimeOf(pid_t pid) {
  proc_bsdinfo info{};
  const int size = sizeof info;
  if (proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, size) != size) return std::nullopt;
  return info.pbi_start_tvsec * 1'000'000 + info.pbi_start_tvusec;
}

std::optional<uint64_t> OwnStartTime() { return StartTimeOf(getpid()); }

}  // namespace fe
