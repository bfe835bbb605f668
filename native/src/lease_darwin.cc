// Nothing keeps other openers of a file out here: locks are advisory, and there are no leases.
#include "os.h"

namespace fe {

Result<Lease> TakeLease(int, uint32_t) { return Lease{LeaseAnswer::kUnsupported, 0}; }

Status EndLease(int) { return Done{}; }

Result<bool> LeaseIsUnbroken(int) { return false; }

}  // namespace fe
