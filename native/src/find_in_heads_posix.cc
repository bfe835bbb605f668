// Which of many small files begin with bytes that hold others: one job of the thread pool, since a
// call into it for each file would take longer than the files.
//
// Unlike OpenFileAt it looks by name before it opens, not by a handle, which halves the calls. What
// is swapped for a FIFO in between is opened and read without waiting (O_NONBLOCK); nobody but the
// owner of the directory can do so, and what is found is only a hint for whoever opens it properly.
//
// Sources: fstatat(2), openat(2), pread(2), memmem(3).
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

// What makes a file none of those that are looked for; anything else is a failure of the search.
bool IsLeftOut(int number) {
  return number == ENOENT || number == EACCES || number == EPERM || number == ELOOP ||
         number == EIO || number == ENXIO;
}

// Reads until `size` bytes are there or the file ends.
Result<size_t> ReadHead(int file, char* buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t count = Retry([&] {
      return pread(file, buffer + done, size - done, static_cast<off_t>(done));
    });
    if (count < 0) return LastError("pread");
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

}  // namespace

Result<std::vector<size_t>> FindInHeads(int directory, const std::vector<std::string>& names,
                                        const std::string& bytes, size_t within_bytes) {
  std::vector<size_t> found;
  std::vector<char> head(within_bytes);
  for (size_t index = 0; index < names.size(); ++index) {
    const std::string& name = names[index];
    if (!IsName(name)) return NotAName("openat");
    struct stat status;
    if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (IsLeftOut(errno)) continue;
      return LastError("fstatat");
    }
    if (!S_ISREG(status.st_mode)) continue;
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    Descriptor file(Retry([&] { return openat(directory, name.c_str(), flags); }));
    if (file.number() < 0) {
      if (IsLeftOut(errno)) continue;
      return LastError("openat");
    }
    auto read = ReadHead(file.number(), head.data(), head.size());
    if (!read.ok()) {
      if (IsLeftOut(read.error().native_code)) continue;
      return std::move(read.error());
    }
    // Not asked about nothing: memmem(3) wants an address even then.
    const bool holds =
        bytes.empty() || (read.value() >= bytes.size() &&
                          memmem(head.data(), read.value(), bytes.data(), bytes.size()) != nullptr);
    if (holds) found.push_back(index);
  }
  return found;
}

}  // namespace fe
