// What a handle says of its file, in one go. Volume ids are in volume_darwin.cc, access lists in
// acl_darwin.cc, filesystem names in filesystem_darwin.cc.
//
// Sources: fstat(2), fstatat(2), fstatfs(2) of macOS.
#include "identity_darwin.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "identity_posix.h"
#include "posix_call.h"

namespace fe {
namespace {

EntryStatus FromStat(const struct stat& from) {
  EntryStatus entry = EntryFromStat(from);
  // A dev_t is signed here; the number is kept, not the sign.
  entry.device = static_cast<uint32_t>(from.st_dev);
  entry.modified_ns = Nanoseconds(from.st_mtimespec.tv_sec, from.st_mtimespec.tv_nsec);
  // A filesystem without birth times leaves 0 or -1 there.
  if (from.st_birthtimespec.tv_sec > 0) {
    entry.birth_time_ns = Nanoseconds(from.st_birthtimespec.tv_sec, from.st_birthtimespec.tv_nsec);
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
