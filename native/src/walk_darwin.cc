// Walking a path, and the last step to the object.
//
// There is no O_PATH. A directory is held by O_SEARCH, which needs leave to pass through it alone
// (systems that do not know the flag open it for reading). A file is held by O_EVTONLY, which
// neither reads nor keeps a volume from being unmounted. FIFOs, sockets and devices are not opened
// at all: to open one is to act on it. They are answered as EFTYPE, by a look at their name.
//
// Sources: open(2) of macOS for O_EVTONLY, O_SEARCH, O_NOFOLLOW_ANY (since macOS 11); fstatat(2).
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

constexpr int kPass = O_SEARCH | O_DIRECTORY | O_CLOEXEC;
// O_NONBLOCK: a FIFO that takes the name after the look cannot hang.
constexpr int kHold = O_EVTONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

bool IsLink(const struct stat& status) { return S_ISLNK(status.st_mode); }

bool IsRealPath(const std::string& path) {
  if (path == "/") return true;
  if (path.empty() || path[0] != '/') return false;
  for (size_t start = 1; start <= path.size();) {
    const size_t end = std::min(path.find('/', start), path.size());
    if (!IsName(path.substr(start, end - start))) return false;
    start = end + 1;
  }
  return true;
}

// Together with O_DIRECTORY a link may answer ENOTDIR; here it must be known as a link.
OsError StepError(int directory, const char* name) {
  const int number = errno;
  struct stat status {};
  if (number == ENOTDIR && fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      IsLink(status)) {
    return ErrorFromNumber("openat", ELOOP);
  }
  return ErrorFromNumber("openat", number);
}

std::optional<OsError> Refusal(const struct stat& status) {
  if (IsLink(status)) return ErrorFromNumber("openat", ELOOP);
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return std::nullopt;
  return OsError{"openat", "EFTYPE", 0, "neither a regular file nor a directory"};
}

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

}  // namespace

Result<Descriptor> OpenWayByComponents(const std::string& directory_path) {
  Descriptor current(Retry([] { return open("/", kPass); }));
  if (current.number() < 0) return LastError("open");
  for (size_t start = 1; start < directory_path.size();) {
    const size_t end = std::min(directory_path.find('/', start), directory_path.size());
    const std::string name = directory_path.substr(start, end - start);
    Descriptor next(
        Retry([&] { return openat(current.number(), name.c_str(), kPass | O_NOFOLLOW); }));
    if (next.number() < 0) return StepError(current.number(), name.c_str());
    current = std::move(next);
    start = end + 1;
  }
  return current;
}

Result<Descriptor> OpenWay(const std::string& directory_path, WalkRoute route) {
  if (route == WalkRoute::kComponents) return OpenWayByComponents(directory_path);
  Descriptor directory(
      Retry([&] { return open(directory_path.c_str(), kPass | O_NOFOLLOW_ANY); }));
  if (directory.number() >= 0) return directory;
  // A way that is too long for one call can still be walked; where the flags are not known
  // together, too. ENOTDIR may be a link: by components that is told apart.
  if (errno == ENAMETOOLONG || errno == EINVAL || errno == ENOTDIR) {
    return OpenWayByComponents(directory_path);
  }
  return LastError("open");
}

Result<Walked> WalkTo(const std::string& real_path, WalkRoute route) {
  if (!IsRealPath(real_path)) {
    return OsError{"openat", "EINVAL", EINVAL,
                   "an absolute path without empty components, \".\" and \"..\" is wanted"};
  }
  const size_t slash = real_path.rfind('/');
  auto parent = OpenWay(slash == 0 ? "/" : real_path.substr(0, slash), route);
  if (!parent.ok()) return std::move(parent.error());
  auto target = real_path == "/" ? OpenWay("/", route)
                                 : OpenObject(parent.value().number(), real_path.substr(slash + 1));
  if (!target.ok()) return std::move(target.error());
  return Walked{std::move(parent.value()), std::move(target.value())};
}

}  // namespace fe
