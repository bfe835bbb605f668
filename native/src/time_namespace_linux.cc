// The offset of this process's time namespace.
//
// The kernel adds it to CLOCK_BOOTTIME and to the start time of every process as this one sees it.
// Taken off again, both are the same for all processes of the machine. Where there are no time
// namespaces there is no file, and the offset is 0.
//
// Sources: time_namespaces(7); kernel fs/proc/array.c, timens_add_boottime_ns.
#include "time_namespace_linux.h"

#include <cinttypes>
#include <cstdio>
#include <string>

#include "read_small_linux.h"

namespace fe {
namespace {

BootTimeOffset ReadOffset() {
  const std::string text = ReadSmallFile("/proc/self/timens_offsets");
  // One line for each clock: its name, seconds, nanoseconds.
  const size_t line = text.find("boottime");
  BootTimeOffset offset;
  if (line == std::string::npos) return offset;
  const char* at = text.c_str() + line;
  if (std::sscanf(at, "boottime %" SCNd64 " %" SCNd64, &offset.seconds, &offset.nanoseconds) != 2) {
    return {};
  }
  return offset;
}

}  // namespace

BootTimeOffset OwnBootTimeOffset() {
  static const BootTimeOffset offset = ReadOffset();
  return offset;
}

}  // namespace fe
