// For the *_windows.cc files: whole paths.
#pragma once

#include <string>

#include "os_error.h"

namespace fe {

// The path of the object manager (`\??\C:\dir`) for one that Win32 takes; links are not looked at.
// Error: EINVAL, for a device (`\\.\`, `NUL`) or what is no path.
Result<std::wstring> ObjectPathOf(const char* operation, const std::string& path);

}  // namespace fe
