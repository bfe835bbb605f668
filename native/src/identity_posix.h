// What identity_linux.cc and identity_darwin.cc read in the same way.
#pragma once

#include <sys/stat.h>

#include "os.h"

namespace fe {

// `mode`: with the bits of the kind.
FileKind KindOf(unsigned mode);

// Since 1970; what does not fit is the nearest that does.
int64_t Nanoseconds(int64_t seconds, int64_t nanoseconds);

// All but the device and the times, which each system keeps in its own form.
EntryStatus EntryFromStat(const struct stat& from);

}  // namespace fe
