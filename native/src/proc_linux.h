// For the *_linux.cc files: reaching the object of a descriptor through /proc.
//
// A descriptor of O_PATH can neither be read nor changed. Opening its entry in /proc/self/fd opens
// the same object again, whatever happened to its name (proc_pid_fd(5)).
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "os_error.h"

namespace fe {

class ProcPath {
 public:
  explicit ProcPath(int descriptor) {
    std::snprintf(text_, sizeof text_, "/proc/self/fd/%d", descriptor);
  }
  const char* text() const { return text_; }

 private:
  char text_[32];
};

// The error of a call on a ProcPath. The entry leads to the object even after its last name is
// gone, so ENOENT can only mean that there is no /proc: that must not look like a missing file.
inline OsError LastProcError(const char* operation) {
  const int number = errno;
  if ((number == ENOENT || number == ENOTDIR) && access("/proc/self/fd", X_OK) != 0) {
    return OsError{operation, "ENOSYS", number, "/proc is not mounted, and is needed"};
  }
  return ErrorFromNumber(operation, number);
}

}  // namespace fe
