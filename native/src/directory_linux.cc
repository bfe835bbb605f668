// What Linux alone has: files without a name, a rename that never replaces, and a mode that is set
// without opening.
//
// Sources: mkdirat(2), chmod(2), open(2) O_PATH and O_TMPFILE, linkat(2), renameat2(2).
#include "directory_posix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix_call.h"
#include "proc_linux.h"

namespace fe {
namespace {

// RENAME_NOREPLACE; not every C library names it.
constexpr unsigned kNeverReplace = 1;

// Of a descriptor of O_PATH, which fchmod(2) refuses; a mode of 0 could not be opened otherwise.
Status SetModeOf(int descriptor, uint32_t mode) {
  if (chmod(ProcPath(descriptor).text(), mode) != 0) return LastProcError("chmod");
  return Done{};
}

}  // namespace

Status MakeDirectoryAt(int directory, const std::string& name, uint32_t mode) {
  if (!IsName(name)) return NotAName("mkdirat");
  if (mkdirat(directory, name.c_str(), mode) != 0) return LastError("mkdirat");
  const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor made(Retry([&] { return openat(directory, name.c_str(), flags); }));
  Status set = made.number() < 0 ? Status(LastError("openat")) : SetModeOf(made.number(), mode);
  if (!set.ok()) unlinkat(directory, name.c_str(), AT_REMOVEDIR);
  return set;
}

Result<Descriptor> CreateUnnamedFile(int directory, uint32_t mode) {
  const int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;
  Descriptor file(Retry([&] { return openat(directory, ".", flags, mode); }));
  if (file.number() < 0) {
    // A kernel that does not know the flag sees a directory opened for writing.
    if (errno == EISDIR) return ErrorFromNumber("openat", EOPNOTSUPP);
    return LastError("openat");
  }
  if (fchmod(file.number(), mode) != 0) return LastError("fchmod");
  return file;
}

Status LinkUnnamedFile(int file, int directory, const std::string& name) {
  if (!IsName(name)) return NotAName("linkat");
  // AT_EMPTY_PATH would need CAP_DAC_READ_SEARCH on all but recent kernels.
  const ProcPath path(file);
  if (linkat(AT_FDCWD, path.text(), directory, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    return LastProcError("linkat");
  }
  return Done{};
}

Status RenameAt(int from_directory, const std::string& from, int to_directory,
                const std::string& to) {
  if (!IsName(from) || !IsName(to)) return NotAName("renameat2");
  if (syscall(SYS_renameat2, from_directory, from.c_str(), to_directory, to.c_str(),
              kNeverReplace) == 0) {
    return Done{};
  }
  // EINVAL: the filesystem cannot.
  if (errno == ENOSYS || errno == EINVAL) {
    return LinkThenUnlink(from_directory, from, to_directory, to);
  }
  return LastError("renameat2");
}

}  // namespace fe
