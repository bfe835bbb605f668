// From a handle that can neither read nor write to one that can.
//
// No call opens the object of a handle again. So the kernel is asked for a path of it, that path is
// opened without following any link, and what was opened is compared with the handle: device and
// inode number name one object as long as a handle holds it. A path that leads elsewhere, because
// somebody moved something in between, is asked for again.
//
// An object that has no name any more cannot be opened again: ENOENT. Of several names (hard links)
// the kernel gives one, which need not be the one by which the handle was opened.
//
// Sources: fcntl(2) F_GETPATH, open(2) O_NOFOLLOW_ANY of macOS.
#include <fcntl.h>
#include <sys/param.h>
#include <sys/stat.h>

#include <array>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

// Each round lost means that somebody moved the file just then. The number is a guess.
constexpr int kMaxRounds = 5;

bool IsSame(const struct stat& left, const struct stat& right) {
  return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

}  // namespace

Result<Descriptor> Reopen(int descriptor, Access access) {
  struct stat held {};
  if (fstat(descriptor, &held) != 0) return LastError("fstat");
  const int mode = access == Access::kRead ? O_RDONLY : O_RDWR;
  // O_NONBLOCK: a FIFO cannot hang.
  const int flags = mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW_ANY;
  for (int round = 0; round < kMaxRounds; ++round) {
    std::array<char, MAXPATHLEN> path{};
    if (fcntl(descriptor, F_GETPATH, path.data()) != 0) return LastError("fcntl");
    Descriptor opened(Retry([&] { return open(path.data(), flags); }));
    if (opened.number() < 0) {
      // Moved since, or a link in its place.
      if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) continue;
      return LastError("open");
    }
    struct stat found {};
    if (fstat(opened.number(), &found) != 0) return LastError("fstat");
    if (IsSame(held, found)) return opened;
  }
  return ErrorFromNumber("open", ENOENT);
}

}  // namespace fe
