// What a handle says of its file, in one go. Volume ids are in volume_linux.cc, access lists in
// acl_linux.cc, filesystem names in filesystem_linux.cc.
//
// Sources: statx(2), name_to_handle_at(2), ioctl_fs(2) for FS_IOC_GETVERSION.
#include "identity_linux.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>

#include "identity_posix.h"
#include "posix_call.h"

// Linux 6.5; older C libraries do not name it.
#ifndef AT_HANDLE_FID
#define AT_HANDLE_FID AT_REMOVEDIR
#endif

namespace fe {
namespace {

EntryStatus FromStatx(const struct statx& from) {
  EntryStatus entry;
  entry.kind = KindOf(from.stx_mode);
  entry.device = makedev(from.stx_dev_major, from.stx_dev_minor);
  entry.file = from.stx_ino;
  entry.size_bytes = from.stx_size;
  entry.link_count = from.stx_nlink;
  entry.mode = from.stx_mode & 07777;
  entry.owner = std::to_string(from.stx_uid);
  entry.group = std::to_string(from.stx_gid);
  entry.modified_ns = Nanoseconds(from.stx_mtime.tv_sec, from.stx_mtime.tv_nsec);
  if (from.stx_mask & STATX_BTIME) {
    entry.birth_time_ns = Nanoseconds(from.stx_btime.tv_sec, from.stx_btime.tv_nsec);
  }
  return entry;
}

EntryStatus FromStat(const struct stat& from) {
  EntryStatus entry = EntryFromStat(from);
  entry.device = from.st_dev;
  entry.modified_ns = Nanoseconds(from.st_mtim.tv_sec, from.st_mtim.tv_nsec);
  return entry;
}

Result<EntryStatus> StatusAt(int directory, const char* name, int flags) {
  struct statx answer;
  // By number: musl has the function since 1.2.5, and a file that needs it does not load on older.
  if (syscall(SYS_statx, directory, name, flags, STATX_BASIC_STATS | STATX_BTIME, &answer) == 0) {
    return FromStatx(answer);
  }
  // A sandbox older than the call answers EPERM for it.
  if (errno != ENOSYS && errno != EPERM) return LastError("statx");
  struct stat older;
  if (fstatat(directory, name, &older, flags) != 0) return LastError("fstatat");
  return FromStat(older);
}

bool CanRead(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags != -1 && (flags & O_PATH) == 0 && (flags & O_ACCMODE) != O_WRONLY;
}

std::optional<uint32_t> GenerationOf(int descriptor) {
  // The call is declared with a long, but most filesystems store an int.
  std::array<uint32_t, 2> answer{};
  if (ioctl(descriptor, FS_IOC_GETVERSION, answer.data()) != 0) return std::nullopt;
  return answer[0];
}

void AppendHex(std::string& text, const unsigned char* bytes, size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  for (size_t i = 0; i < count; ++i) {
    text.push_back(kDigits[bytes[i] >> 4]);
    text.push_back(kDigits[bytes[i] & 15]);
  }
}

// Empty if there is none, or if a sandbox forbids the call: this part of an identity is optional.
std::string HandleOf(int descriptor) {
  alignas(file_handle) std::array<unsigned char, sizeof(file_handle) + MAX_HANDLE_SZ> room{};
  auto* handle = reinterpret_cast<file_handle*>(room.data());
  handle->handle_bytes = MAX_HANDLE_SZ;
  int mount = 0;
  int answer = name_to_handle_at(descriptor, "", handle, &mount, AT_EMPTY_PATH);
  if (answer != 0 && errno == EOPNOTSUPP) {
    // overlayfs: a handle that cannot be opened, but still names the object.
    handle->handle_bytes = MAX_HANDLE_SZ;
    answer = name_to_handle_at(descriptor, "", handle, &mount, AT_EMPTY_PATH | AT_HANDLE_FID);
  }
  if (answer != 0) return {};
  const auto type = static_cast<uint32_t>(handle->handle_type);
  const std::array<unsigned char, 4> type_bytes{
      static_cast<unsigned char>(type >> 24), static_cast<unsigned char>(type >> 16),
      static_cast<unsigned char>(type >> 8), static_cast<unsigned char>(type)};
  std::string text;
  AppendHex(text, type_bytes.data(), type_bytes.size());
  AppendHex(text, handle->f_handle, handle->handle_bytes);
  return text;
}

}  // namespace

Result<EntryStatus> EntryStatusOf(int descriptor) {
  return StatusAt(descriptor, "", AT_EMPTY_PATH);
}

Result<EntryStatus> EntryStatusAt(int directory, const std::string& name) {
  if (!IsName(name)) return NotAName("fstatat");
  return StatusAt(directory, name.c_str(), AT_SYMLINK_NOFOLLOW);
}

Result<FileStatus> StatusOf(int descriptor, int nearby_directory, Permission wanted) {
  FileStatus status;
  auto entry = EntryStatusOf(descriptor);
  if (!entry.ok()) return std::move(entry.error());
  status.entry = std::move(entry.value());

  struct statfs filesystem;
  if (Retry([&] { return fstatfs(descriptor, &filesystem); }) != 0) return LastError("fstatfs");
  const auto magic = static_cast<uint32_t>(filesystem.f_type);
  status.filesystem = FilesystemByMagic(magic);

  const bool can_read = CanRead(descriptor);
  uint32_t fsid[2];
  static_assert(sizeof fsid == sizeof filesystem.f_fsid);
  __builtin_memcpy(fsid, &filesystem.f_fsid, sizeof fsid);
  status.identity.volume = VolumeOf(
      VolumeQuestion{magic, uint64_t{fsid[1]} << 32 | fsid[0], status.entry.device,
                     can_read ? descriptor : -1,
                     status.entry.kind == FileKind::kDirectory ? descriptor : nearby_directory});
  status.identity.handle = HandleOf(descriptor);
  // Only where the number cannot mean something else to a driver.
  if (can_read && (status.entry.kind == FileKind::kRegular ||
                   status.entry.kind == FileKind::kDirectory)) {
    status.identity.generation = GenerationOf(descriptor);
  }

  if (wanted == Permission::kLeftOut) return status;
  auto permission = PermissionOf(descriptor, can_read, magic, status.entry.kind);
  if (!permission.ok()) return std::move(permission.error());
  status.permission = std::move(permission.value());
  return status;
}

}  // namespace fe
