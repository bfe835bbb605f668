// For the *_linux.cc files: reading a file of the kernel's.
#pragma once

#include <string>

namespace fe {

// The first 4 KiB at most; empty if it cannot be read.
std::string ReadSmallFile(const char* path);

}  // namespace fe
