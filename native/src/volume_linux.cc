// The id of a filesystem that outlives a reboot.
//
// `st_dev` does not on btrfs, LVM and USB. `f_fsid` does, except on xfs, where it is the device
// number; there the UUID is asked for. The choice depends on the filesystem type alone, never on
// what happens to work: an id that changed with the kernel would orphan every record.
//
// The UUID needs an open file, and opening the target would break a lease on it. So a directory is
// opened instead, which disturbs nobody: the parent, or, if this user may only pass through it, the
// nearest one above on the same filesystem. If none may be read `f_fsid` must do. Handles that were
// opened from one another keep one answer: lib/ carries it from the first to the rest.
//
// Sources: statfs(2); XFS_IOC_FSGEOMETRY_V1 in the kernel's fs/xfs/libxfs/xfs_fs.h.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <array>

#include "identity_linux.h"
#include "posix_call.h"

namespace fe {
namespace {

constexpr uint32_t kXfsMagic = 0x58465342;
// Far above any real depth; the climb ends at a mount point or at the root.
constexpr int kMaxClimb = 256;

// `struct xfs_fsop_geom_v1`, since its header is not installed with the kernel's.
struct XfsGeometry {
  std::array<uint32_t, 8> sizes;
  std::array<uint64_t, 4> counts;
  std::array<unsigned char, 16> uuid;
  std::array<uint32_t, 7> more_sizes;
};
constexpr unsigned long kXfsGeometryCall = _IOR('X', 100, XfsGeometry);

std::optional<VolumeId> XfsUuid(int readable) {
  XfsGeometry geometry{};
  if (ioctl(readable, kXfsGeometryCall, &geometry) != 0) return std::nullopt;
  VolumeId id;
  for (size_t i = 0; i < 8; ++i) id.high = id.high << 8 | geometry.uuid[i];
  for (size_t i = 8; i < 16; ++i) id.low = id.low << 8 | geometry.uuid[i];
  if (id.high == 0 && id.low == 0) return std::nullopt;
  return id;
}

bool IsOnDevice(int descriptor, uint64_t device) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && status.st_dev == device;
}

std::optional<VolumeId> XfsUuidNear(int directory, uint64_t device) {
  Descriptor above;
  int current = directory;
  for (int climbed = 0; climbed < kMaxClimb; ++climbed) {
    if (current < 0 || !IsOnDevice(current, device)) return std::nullopt;
    Descriptor readable(Retry([&] {
      return openat(current, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    }));
    if (readable.number() >= 0) return XfsUuid(readable.number());
    Descriptor next(
        Retry([&] { return openat(current, "..", O_PATH | O_DIRECTORY | O_CLOEXEC); }));
    above = std::move(next);
    current = above.number();
  }
  return std::nullopt;
}

}  // namespace

VolumeId VolumeOf(const VolumeQuestion& question) {
  if (question.magic == kXfsMagic) {
    const auto uuid = question.readable >= 0 ? XfsUuid(question.readable)
                                             : XfsUuidNear(question.directory, question.device);
    if (uuid) return *uuid;
  }
  // Zero is no id.
  return {0, question.filesystem_id != 0 ? question.filesystem_id : question.device};
}

}  // namespace fe
