// The parts of StatusOf on macOS, each in a file of its own.
#pragma once

#include <sys/mount.h>

#include "os.h"

namespace fe {

// filesystem_darwin.cc: name and class by statfs(2).
FilesystemFacts FilesystemOf(const struct statfs& facts);

// volume_darwin.cc. `device`: `st_dev`.
VolumeId VolumeOf(int descriptor, const struct statfs& facts, uint64_t device);

// acl_darwin.cc.
Result<PermissionFacts> PermissionOf(int descriptor);

}  // namespace fe
