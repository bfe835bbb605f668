// Holding the directory at the end of a way, and the object in it, by O_PATH.
//
// Sources: open(2) on O_PATH; openat2(2), since Linux 5.6.
#include "walk_posix.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix_call.h"

namespace fe {

const int kWayFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;

Result<Descriptor> OpenObject(int parent, const std::string& name) {
  const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  Descriptor object(Retry([&] { return openat(parent, name.c_str(), flags); }));
  if (object.number() < 0) return LastError("openat");
  struct stat status;
  if (fstat(object.number(), &status) != 0) return LastError("fstat");
  // O_PATH with O_NOFOLLOW opens a link itself.
  if (S_ISLNK(status.st_mode)) return ErrorFromNumber("openat", ELOOP);
  return object;
}

Result<Descriptor> OpenWay(const std::string& directory_path, WalkRoute route) {
  if (route == WalkRoute::kComponents) return OpenWayByComponents(directory_path);
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Descriptor directory(Retry([&] {
    return static_cast<int>(
        syscall(SYS_openat2, AT_FDCWD, directory_path.c_str(), &how, sizeof how));
  }));
  if (directory.number() >= 0) return directory;
  // EPERM is a sandbox that does not know the call: a filesystem says EACCES.
  if (errno == ENOSYS || errno == EPERM) return OpenWayByComponents(directory_path);
  return LastError("openat2");
}

}  // namespace fe
