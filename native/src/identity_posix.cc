// What stat(2) says of a file on every POSIX system.
//
// Source: stat(2), inode(7).
#include "identity_posix.h"

#include <limits>

namespace fe {

FileKind KindOf(unsigned mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return FileKind::kRegular;
    case S_IFDIR:
      return FileKind::kDirectory;
    case S_IFLNK:
      return FileKind::kSymlink;
    case S_IFIFO:
      return FileKind::kFifo;
    case S_IFSOCK:
      return FileKind::kSocket;
    case S_IFBLK:
      return FileKind::kBlockDevice;
    case S_IFCHR:
      return FileKind::kCharacterDevice;
    default:
      return FileKind::kUnknown;
  }
}

int64_t Nanoseconds(int64_t seconds, int64_t nanoseconds) {
  int64_t answer;
  if (__builtin_mul_overflow(seconds, int64_t{1'000'000'000}, &answer) ||
      __builtin_add_overflow(answer, nanoseconds, &answer)) {
    return seconds < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  }
  return answer;
}

EntryStatus EntryFromStat(const struct stat& from) {
  EntryStatus entry;
  entry.kind = KindOf(from.st_mode);
  entry.file = from.st_ino;
  entry.size_bytes = static_cast<uint64_t>(from.st_size);
  entry.link_count = from.st_nlink;
  entry.mode = from.st_mode & 07777;
  entry.owner = std::to_string(from.st_uid);
  entry.group = std::to_string(from.st_gid);
  return entry;
}

}  // namespace fe
