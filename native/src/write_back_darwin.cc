// No call here asks the disk to begin with a part of a file and waits for none of it.
#include "os.h"

namespace fe {

void StartWriteBack(int, uint64_t, uint64_t) {}

}  // namespace fe
