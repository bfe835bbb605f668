// For walk_posix.cc: how each system holds what it walks to without reading it.
#pragma once

#include "os.h"

namespace fe {

// Flags of open(2) by which a directory on the way is held. walk_linux.cc, walk_darwin.cc.
extern const int kWayFlags;

// The way to a directory. Errors: as those of WalkTo. walk_linux.cc, walk_darwin.cc.
Result<Descriptor> OpenWay(const std::string& directory_path, WalkRoute route);

// The same by a call for each component. walk_posix.cc.
Result<Descriptor> OpenWayByComponents(const std::string& directory_path);

// The last step. Errors: as those of WalkTo. walk_linux.cc, walk_darwin.cc.
Result<Descriptor> OpenObject(int parent, const std::string& name);

}  // namespace fe
