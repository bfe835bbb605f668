// Who this process acts as.
//
// Source: geteuid(2).
#include <unistd.h>

#include "os.h"

namespace fe {

std::string EffectiveOwner() { return std::to_string(geteuid()); }

}  // namespace fe
