// For ProbeProcess in process_posix.cc: what each system tells in its own way.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace fe {

// As ProcessProbe::start_time. process_linux.cc, process_darwin.cc.
std::optional<uint64_t> StartTimeOf(pid_t pid);

}  // namespace fe
