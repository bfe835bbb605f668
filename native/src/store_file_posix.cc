// Making files of the store. Opening them is in open_file_*.cc.
//
// Source: openat(2).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

// Each round lost means that somebody made or removed the file just then; in a private directory
// one is rare. The number is a guess.
constexpr int kMaxRounds = 100;

}  // namespace

Result<Descriptor> CreateFileAt(int directory, const std::string& name, uint32_t mode) {
  if (!IsName(name)) return NotAName("openat");
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
  // The umask can only take bits away, so the file is never open to more than `mode` says.
  Descriptor file(Retry([&] { return openat(directory, name.c_str(), flags, mode); }));
  if (file.number() < 0) return LastError("openat");
  if (fchmod(file.number(), mode) != 0) {
    OsError error = LastError("fchmod");
    unlinkat(directory, name.c_str(), 0);
    return error;
  }
  return file;
}

Result<Descriptor> OpenOrCreateFileAt(int directory, const std::string& name, uint32_t mode) {
  for (int round = 0; round < kMaxRounds; ++round) {
    auto opened = OpenFileAt(directory, name, Access::kReadWrite);
    if (opened.ok() || opened.error().code != "ENOENT") return opened;
    auto made = CreateFileAt(directory, name, mode);
    if (made.ok() || made.error().code != "EEXIST") return made;
  }
  return ErrorFromNumber("openat", EAGAIN);
}

}  // namespace fe
