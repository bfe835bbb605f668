// This start of the machine, the pid namespace, and the installation.
//
// Sources: proc_sys_kernel(5) random/boot_id, clock_gettime(2), namespaces(7), machine-id(5).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <ctime>

#include "os.h"
#include "read_small_linux.h"
#include "time_namespace_linux.h"

namespace fe {
namespace {

double Milliseconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string MachineIdIn(const char* path) {
  std::string id = FirstLine(ReadSmallFile(path));
  // What an image has that has not been started yet: the same on many machines.
  if (id == "uninitialized") id.clear();
  return id;
}

std::string MachineId() {
  const std::string id = MachineIdIn("/etc/machine-id");
  return id.empty() ? MachineIdIn("/var/lib/dbus/machine-id") : id;
}

}  // namespace

BootFacts ReadBootFacts() {
  BootFacts facts;
  facts.boot_id = FirstLine(ReadSmallFile("/proc/sys/kernel/random/boot_id"));
  facts.machine_id = MachineId();
  struct stat status;
  if (stat("/proc/self/ns/pid", &status) == 0) facts.pid_namespace = status.st_ino;
  return facts;
}

// `btime` of /proc/stat is the same difference in whole seconds, but the kernel sums up every
// processor's counters to print it.
double BootTimeMs() {
  timespec now{};
  timespec since_boot{};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  const BootTimeOffset offset = OwnBootTimeOffset();
  const double offset_ms =
      static_cast<double>(offset.seconds) * 1e3 + static_cast<double>(offset.nanoseconds) / 1e6;
  return std::round(Milliseconds(now) - (Milliseconds(since_boot) - offset_ms));
}

}  // namespace fe
