// No calls: a number of ours is a descriptor, with which Node itself reads and writes.
#include "js_descriptors.h"

namespace fe {

void AddContentCalls(Napi::Env, Napi::Object) {}

}  // namespace fe
