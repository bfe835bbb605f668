// This start of the machine, and the machine.
//
// `kern.uuid` is not asked for: it names the build of the kernel, and so is the same on many.
//
// Sources: sysctl(3) (kern.bootsessionuuid, kern.boottime), clock_gettime(3), gethostuuid(2) of
// macOS.
#include <sys/sysctl.h>
#include <sys/time.h>
#include <unistd.h>
#include <uuid/uuid.h>

#include <array>
#include <cmath>
#include <cstring>
#include <ctime>

#include "os.h"

namespace fe {
namespace {

// A text of the kernel's; empty if it cannot be read.
std::string TextOf(const char* name) {
  std::array<char, 128> text{};
  // Room for a NUL of our own.
  size_t size = text.size() - 1;
  if (sysctlbyname(name, text.data(), &size, nullptr, 0) != 0) return {};
  return std::string(text.data(), strnlen(text.data(), size));
}

// Empty if it cannot be read: a sandbox may forbid it.
std::string HardwareId() {
  uuid_t id;
  const timespec wait{0, 0};
  if (gethostuuid(id, &wait) != 0) return {};
  uuid_string_t text;
  uuid_unparse_lower(id, text);
  return text;
}

double Milliseconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

}  // namespace

BootFacts ReadBootFacts() {
  BootFacts facts;
  facts.boot_id = TextOf("kern.bootsessionuuid");
  facts.machine_id = HardwareId();
  return facts;
}

double BootTimeMs() {
  timeval booted{};
  size_t size = sizeof booted;
  if (sysctlbyname("kern.boottime", &booted, &size, nullptr, 0) == 0 && size == sizeof booted) {
    return std::round(static_cast<double>(booted.tv_sec) * 1e3 +
                      static_cast<double>(booted.tv_usec) / 1e3);
  }
  // Where a sandbox forbids it. This clock runs on while the machine sleeps.
  timespec now{};
  timespec since_boot{};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_MONOTONIC, &since_boot);
  return std::round(Milliseconds(now) - Milliseconds(since_boot));
}

}  // namespace fe
