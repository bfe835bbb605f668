// Reading a file of the kernel's, whose size stat(2) does not say.
#include "read_small_linux.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "os.h"
#include "posix_call.h"

namespace fe {

std::string ReadSmallFile(const char* path) {
  const Descriptor file(Retry([&] { return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (file.number() < 0) return {};
  std::array<char, 4096> room;
  size_t length = 0;
  while (length < room.size()) {
    const ssize_t count = Retry(
        [&] { return read(file.number(), room.data() + length, room.size() - length); });
    if (count < 0) return {};
    if (count == 0) break;
    length += static_cast<size_t>(count);
  }
  return std::string(room.data(), length);
}

}  // namespace fe
