// Holding the directory at the end of a way, and the object in it.
//
// There is no O_PATH. A directory is held by O_SEARCH, which needs leave to pass through it alone
// (systems that do not know the flag open it for reading). A file is held by O_EVTONLY, which
// neither reads nor keeps a volume from being unmounted. FIFOs, sockets and devices are not opened
// at all: to open one is to act on it. They are answered as EFTYPE, by a look at their name.
//
// Sources: open(2) of macOS for O_EVTONLY, O_SEARCH, O_NOFOLLOW_ANY (since macOS 11); fstatat(2).
#include "walk_posix.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <optional>

#include "posix_call.h"

namespace fe {

const int kWayFlags = O_SEARCH | O_DIRECTORY | O_CLOEXEC;

namespace {

// O_NONBLOCK: a FIFO that takes the name after the look cannot hang.
constexpr int kHold = O_EVTONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

std::optional<OsError> Refusal(const struct stat& status) {
  if (S_ISLNK(status.st_mode)) return ErrorFromNumber("openat", ELOOP);
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return std::nullopt;
  return OsError{"openat", "EFTYPE", 0, "neither a regular file nor a directory"};
}

}  // namespace

Result<Descriptor> OpenObject(int parent, const std::string& name) {
  struct stat status {};
  if (fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return LastError("fstatat");
  if (auto refusal = Refusal(status)) return std::move(*refusal);
  Descriptor object(Retry([&] { return openat(parent, name.c_str(), kHold); }));
  if (object.number() < 0) return LastError("openat");
  // What stands there now may be another.
  if (fstat(object.number(), &status) != 0) return LastError("fstat");
  if (auto refusal = Refusal(status)) return std::move(*refusal);
  return object;
}

Result<Descriptor> OpenWay(const std::string& directory_path, WalkRoute route) {
  if (route == WalkRoute::kComponents) return OpenWayByComponents(directory_path);
  Descriptor directory(
      Retry([&] { return open(directory_path.c_str(), kWayFlags | O_NOFOLLOW_ANY); }));
  if (directory.number() >= 0) return directory;
  // A way that is too long for one call can still be walked; where the flags are not known
  // together, too. ENOTDIR may be a link: by components that is told apart.
  if (errno == ENAMETOOLONG || errno == EINVAL || errno == ENOTDIR) {
    return OpenWayByComponents(directory_path);
  }
  return LastError("open");
}

}  // namespace fe
