// Walking to a directory in one call, where the kernel can.
//
// Source: openat2(2), since Linux 5.6.
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {

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
