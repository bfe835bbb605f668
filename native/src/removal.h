// Removes a name of a record or lock; that it is gone already is an answer, not a failure.
#pragma once

#include "os.h"

namespace fe {

inline Result<Removal> Remove(int directory, const std::string& name) {
  auto removed = UnlinkAt(directory, name);
  if (removed.ok()) return Removal::kRemoved;
  if (removed.error().code == "ENOENT") return Removal::kAbsent;
  return std::move(removed.error());
}

}  // namespace fe
