// Opening a file of the store.
//
// Source: open(2) on O_PATH.
#include <fcntl.h>
#include <sys/stat.h>

#include "os.h"
#include "posix_call.h"

namespace fe {

Result<Descriptor> OpenFileAt(int directory, const std::string& name, Access access) {
  if (!IsName(name)) return NotAName("openat");
  // First without opening it: opening a FIFO can hang, a device can act.
  const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  Descriptor found(Retry([&] { return openat(directory, name.c_str(), flags); }));
  if (found.number() < 0) return LastError("openat");
  struct stat status;
  if (fstat(found.number(), &status) != 0) return LastError("fstat");
  if (S_ISLNK(status.st_mode)) return ErrorFromNumber("openat", ELOOP);
  if (!S_ISREG(status.st_mode)) {
    return OsError{"openat", "EFTYPE", 0, "not a regular file"};
  }
  return Reopen(found.number(), access);
}

}  // namespace fe
