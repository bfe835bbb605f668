// What a handle says of its file, in one go. Volume ids are in volume_darwin.cc, access lists in
// acl_darwin.cc, filesystem names in filesystem_darwin.cc.
//
// Sources: fstat(2), fstatat(2), fstatfs(2) of macOS.
#include "identity_darwin.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>

#include "posix_call.h"

namespace fe {
namespace {

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

int64_t Nanoseconds(const timespec& time) {
  int64_t answer;
  if (__builtin_mul_overflow(int64_t{time.tv_sec}, int64_t{1'000'000'000}, &answer) ||
      __builtin_add_overflow(answer, int64_t{time.tv_nsec}, &answer)) {
    return time.tv_sec < 0 ? std::numeric_limits<int64_t>::min()
                           : std::numeric_limits<int64_t>::max();
  }
  return answer;
}

EntryStatus FromStat(const struct stat& from) {
  EntryStatus entry;
  entry.kind = KindOf(from.st_mode);
  // A dev_t is signed here; the number is kept, not the sign.
  entry.device = static_cast<uint32_t>(from.st_dev);
  entry.file = from.st_ino;
  entry.size_bytes = static_cast<uint64_t>(from.st_size);
  entry.link_count = from.st_nlink;
  entry.mode = from.st_mode & 07777;
  entry.owner = std::to_string(from.st_uid);
  entry.group = std::to_string(from.st_gid);
  entry.modified_ns = Nanoseconds(from.st_mtimespec);
  // A filesystem without birth times leaves 0 or -1 there.
  if (from.st_birthtimespec.tv_sec > 0) {
    entry.birth_time_ns = Nanoseconds(from.st_birthtimespec);
  }
  return entry;
}

}  // namespace

Result<EntryStatus> EntryStatusOf(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return LastError("fstat");
  return FromStat(status);
}

Result<EntryStatus> EntryStatusAt(int directory, const std::string& name) {
  if (!IsName(name)) return NotAName("fstatat");
  struct stat status {};
  if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return LastError("fstatat");
  }
  return FromStat(status);
}

// Every handle can be asked for its volume, so no directory nearby is needed.
Result<FileStatus> StatusOf(int descriptor, int, Permission wanted) {
  FileStatus answer;
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return LastError("fstat");
  answer.entry = FromStat(status);
  // The system tells it to the superuser alone, and others get 0.
  if (status.st_gen != 0) answer.identity.generation = status.st_gen;

  struct statfs facts {};
  if (Retry([&] { return fstatfs(descriptor, &facts); }) != 0) return LastError("fstatfs");
  answer.filesystem = FilesystemOf(facts);
  answer.identity.volume = VolumeOf(descriptor, facts, answer.entry.device);

  if (wanted == Permission::kLeftOut) return answer;
  auto permission = PermissionOf(descriptor);
  if (!permission.ok()) return std::move(permission.error());
  answer.permission = std::move(permission.value());
  return answer;
}

}  // namespace fe
