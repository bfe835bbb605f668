// What the directory_*.cc and walk_*.cc files of POSIX systems do in the same way.
#pragma once

#include "os.h"

namespace fe {

// The error of an openat(2) with O_DIRECTORY that has just failed. A link in the place of the
// directory may be answered as ENOTDIR; here it is always ELOOP.
OsError DirectoryError(int directory, const std::string& name);

// For RenameAt, where the filesystem cannot rename without replacing. The file has two names for a
// moment.
Status LinkThenUnlink(int from_directory, const std::string& from, int to_directory,
                      const std::string& to);

}  // namespace fe
