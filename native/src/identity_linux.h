// The parts of StatusOf on Linux, each in a file of its own.
#pragma once

#include "os.h"

namespace fe {

// filesystem_linux.cc: name and class by `statfs(2)` `f_type`.
FilesystemFacts FilesystemByMagic(uint32_t magic);
// Whether the filesystem keeps POSIX access lists only, so that others need not be asked for.
bool HasPosixAccessListsOnly(uint32_t magic);

struct VolumeQuestion {
  uint32_t magic;
  // `f_fsid` as one number.
  uint64_t filesystem_id;
  // `st_dev`.
  uint64_t device;
  // The file itself, if it can be read, else -1.
  int readable;
  // A directory that may be on the same filesystem, or -1.
  int directory;
};

// volume_linux.cc.
VolumeId VolumeOf(const VolumeQuestion& question);

// acl_linux.cc. `can_read`: false for a descriptor of O_PATH.
Result<PermissionFacts> PermissionOf(int descriptor, bool can_read, uint32_t magic, FileKind kind);

}  // namespace fe
