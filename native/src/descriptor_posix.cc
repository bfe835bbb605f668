// Closing a descriptor.
#include <unistd.h>

#include "os.h"

namespace fe {

void Descriptor::Close() {
  // Never repeated after EINTR: the number may belong to somebody else by then (close(2)).
  if (number_ >= 0) ::close(Release());
}

}  // namespace fe
