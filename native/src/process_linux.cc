// When a process started.
//
// Sources: proc_pid_stat(5) field 22 (starttime), time_namespaces(7).
#include "process_posix.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <string>

#include "os.h"
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

std::optional<uint64_t> StartTimeOf(pid_t pid) {
  if (!IsProcOfThisNamespace()) return std::nullopt;
  return StartTimeFrom("/proc/" + std::to_string(pid) + "/stat");
}

}  // namespace fe
