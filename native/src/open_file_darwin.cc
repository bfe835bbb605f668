// Opening a file of the store.
//
// Source: openat(2) of macOS.
#include <fcntl.h>
#include <sys/stat.h>

#include <optional>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

std::optional<OsError> Refusal(const struct stat& status) {
  if (S_ISLNK(status.st_mode)) return ErrorFromNumber("openat", ELOOP);
  if (!S_ISREG(status.st_mode)) return OsError{"openat", "EFTYPE", 0, "not a regular file"};
  return std::nullopt;
}

}  // namespace

Result<Descriptor> OpenFileAt(int directory, const std::string& name, Access access) {
  if (!IsName(name)) return NotAName("openat");
  // First without opening it: opening a FIFO can hang, a device can act.
  struct stat status {};
  if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return LastError("fstatat");
  }
  if (auto refusal = Refusal(status)) return std::move(*refusal);
  const int mode = access == Access::kRead ? O_RDONLY : O_RDWR;
  const int flags = mode | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor file(Retry([&] { return openat(directory, name.c_str(), flags); }));
  if (file.number() < 0) return LastError("openat");
  // What stands there now may be another.
  if (fstat(file.number(), &status) != 0) return LastError("fstat");
  if (auto refusal = Refusal(status)) return std::move(*refusal);
  return file;
}

}  // namespace fe
