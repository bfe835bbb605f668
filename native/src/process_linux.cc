// Whether a process exists, and when it started.
//
// Sources: kill(2), proc_pid_stat(5) field 22 (starttime), time_namespaces(7).
#include <signal.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "os.h"
#include "posix_call.h"
#include "read_small_linux.h"
#include "time_namespace_linux.h"

namespace fe {
namespace {

// What processes of other time namespaces see too; unknown if the kernel's rounding to ticks hides
// it.
std::optional<uint64_t> WithoutOffset(uint64_t ticks) {
  const BootTimeOffset offset = OwnBootTimeOffset();
  if (offset.nanoseconds != 0) return std::nullopt;
  const int64_t ticks_per_second = sysconf(_SC_CLK_TCK);
  return ticks - static_cast<uint64_t>(offset.seconds * ticks_per_second);
}

std::optional<uint64_t> StartTimeFrom(const std::string& path) {
  const std::string text = ReadSmallFile(path.c_str());
  // The second field is the program's name in parentheses, and may hold spaces and parentheses.
  size_t place = text.rfind(')');
  if (place == std::string::npos) return std::nullopt;
  // Field 3 begins two characters on; 19 more spaces lead to field 22.
  place += 2;
  for (int field = 3; field < 22; ++field) {
    place = text.find(' ', place);
    if (place == std::string::npos) return std::nullopt;
    ++place;
  }
  uint64_t ticks = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + place, end, ticks);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return WithoutOffset(ticks);
}

// A /proc that was mounted in another pid namespace has other processes at these numbers.
bool IsProcOfThisNamespace() {
  std::array<char, 32> text;
  const ssize_t length = readlink("/proc/self", text.data(), text.size());
  if (length <= 0) return false;
  return std::string(text.data(), static_cast<size_t>(length)) == std::to_string(getpid());
}

}  // namespace

std::optional<uint64_t> OwnStartTime() { return StartTimeFrom("/proc/self/stat"); }

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
  if (IsProcOfThisNamespace()) {
    probe.start_time = StartTimeFrom("/proc/" + std::to_string(pid) + "/stat");
  }
  return probe;
}

}  // namespace fe
