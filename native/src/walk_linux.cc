// Holding a directory on the way, and the object at its end, by O_PATH.
//
// Source: open(2) on O_PATH.
#include "walk_posix.h"

#include <fcntl.h>
#include <sys/stat.h>

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

}  // namespace fe
