// For the *_linux.cc files: what a time namespace adds to times since boot.
#pragma once

#include <cstdint>

namespace fe {

struct BootTimeOffset {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
};

// Read once: a process cannot change its time namespace while it has threads.
BootTimeOffset OwnBootTimeOffset();

}  // namespace fe
