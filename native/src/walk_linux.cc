// Walking a path component by component, and the last step to the object.
//
// Source: openat(2), O_NOFOLLOW and O_PATH.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

constexpr int kPass = O_PATH | O_NOFOLLOW | O_CLOEXEC;

bool IsLink(const struct stat& status) { return (status.st_mode & S_IFMT) == S_IFLNK; }

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

// Together with O_DIRECTORY a link answers ENOTDIR; here it must be known as a link.
OsError StepError(int directory, const char* name) {
  const int number = errno;
  struct stat status;
  if (number == ENOTDIR && fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      IsLink(status)) {
    return ErrorFromNumber("openat", ELOOP);
  }
  return ErrorFromNumber("openat", number);
}

Result<Descriptor> OpenObject(int parent, const std::string& name) {
  Descriptor object(Retry([&] { return openat(parent, name.c_str(), kPass); }));
  if (object.number() < 0) return LastError("openat");
  struct stat status;
  if (fstat(object.number(), &status) != 0) return LastError("fstat");
  // O_PATH with O_NOFOLLOW opens a link itself.
  if (IsLink(status)) return ErrorFromNumber("openat", ELOOP);
  return object;
}

}  // namespace

Result<Descriptor> OpenWayByComponents(const std::string& directory_path) {
  Descriptor current(Retry([] { return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC); }));
  if (current.number() < 0) return LastError("open");
  for (size_t start = 1; start < directory_path.size();) {
    const size_t end = std::min(directory_path.find('/', start), directory_path.size());
    const std::string name = directory_path.substr(start, end - start);
    // O_DIRECTORY also makes an automount point mount.
    Descriptor next(
        Retry([&] { return openat(current.number(), name.c_str(), kPass | O_DIRECTORY); }));
    if (next.number() < 0) return StepError(current.number(), name.c_str());
    current = std::move(next);
    start = end + 1;
  }
  return current;
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
