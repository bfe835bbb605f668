// Walking a path component by component.
//
// Source: openat(2), O_NOFOLLOW.
#include "walk_posix.h"

#include <fcntl.h>

#include <algorithm>

#include "directory_posix.h"
#include "posix_call.h"

namespace fe {
namespace {

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

}  // namespace

Result<Descriptor> OpenWayByComponents(const std::string& directory_path) {
  Descriptor current(Retry([] { return open("/", kWayFlags); }));
  if (current.number() < 0) return LastError("open");
  for (size_t start = 1; start < directory_path.size();) {
    const size_t end = std::min(directory_path.find('/', start), directory_path.size());
    const std::string name = directory_path.substr(start, end - start);
    // O_DIRECTORY, which is among the flags, also makes an automount point mount.
    Descriptor next(
        Retry([&] { return openat(current.number(), name.c_str(), kWayFlags | O_NOFOLLOW); }));
    if (next.number() < 0) return DirectoryError(current.number(), name);
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
