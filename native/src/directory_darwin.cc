// What macOS does in its own way: a rename that never replaces, and no files without a name.
//
// Sources: mkdirat(2), fchmodat(2), renameatx_np(2) with RENAME_EXCL (since macOS 10.12).
#include "directory_posix.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posix_call.h"

namespace fe {
Status MakeDirectoryAt(int directory, const std::string& name, uint32_t mode) {
  if (!IsName(name)) return NotAName("mkdirat");
  const auto bits = static_cast<mode_t>(mode);
  if (mkdirat(directory, name.c_str(), bits) != 0) return LastError("mkdirat");
  // The umask took bits away, and a directory that may not be read cannot be opened for fchmod(2).
  if (fchmodat(directory, name.c_str(), bits, AT_SYMLINK_NOFOLLOW) != 0) {
    OsError error = LastError("fchmodat");
    unlinkat(directory, name.c_str(), AT_REMOVEDIR);
    return error;
  }
  return Done{};
}

Result<Descriptor> CreateUnnamedFile(int, uint32_t) {
  return ErrorFromNumber("openat", EOPNOTSUPP);
}

Status LinkUnnamedFile(int, int, const std::string& name) {
  if (!IsName(name)) return NotAName("linkat");
  return ErrorFromNumber("linkat", EOPNOTSUPP);
}

Status RenameAt(int from_directory, const std::string& from, int to_directory,
                const std::string& to) {
  if (!IsName(from) || !IsName(to)) return NotAName("renameatx_np");
  if (renameatx_np(from_directory, from.c_str(), to_directory, to.c_str(), RENAME_EXCL) == 0) {
    return Done{};
  }
  // The filesystem cannot.
  if (errno == ENOTSUP || errno == EOPNOTSUPP || errno == EINVAL) {
    return LinkThenUnlink(from_directory, from, to_directory, to);
  }
  return LastError("renameatx_np");
}

}  // namespace fe
