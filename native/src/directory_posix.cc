// Directories of the store: opening, listing, names.
//
// Sources: openat(2), readdir(3), linkat(2), unlinkat(2).
#include "directory_posix.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "posix_call.h"

namespace fe {
namespace {

// For reading, not O_PATH: fsync(2) needs that.
constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

struct CloseStream {
  void operator()(DIR* stream) const { closedir(stream); }
};

}  // namespace

OsError DirectoryError(int directory, const std::string& name) {
  const int number = errno;
  struct stat status;
  if (number == ENOTDIR && fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(status.st_mode)) {
    return ErrorFromNumber("openat", ELOOP);
  }
  return ErrorFromNumber("openat", number);
}

Result<Descriptor> OpenDirectoryByPath(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return OsError{"open", "EINVAL", EINVAL, "a path is not empty and has no NUL"};
  }
  Descriptor directory(Retry([&] { return open(path.c_str(), kDirectory); }));
  if (directory.number() < 0) return LastError("open");
  return directory;
}

Result<Descriptor> OpenDirectoryAt(int directory, const std::string& name) {
  if (!IsName(name)) return NotAName("openat");
  Descriptor opened(
      Retry([&] { return openat(directory, name.c_str(), kDirectory | O_NOFOLLOW); }));
  if (opened.number() >= 0) return opened;
  return DirectoryError(directory, name);
}

Result<std::vector<std::string>> ListNames(int directory) {
  // Opened anew: a duplicate would share its place in the list with every other reader.
  Descriptor own(Retry([&] { return openat(directory, ".", kDirectory); }));
  if (own.number() < 0) return LastError("openat");
  std::unique_ptr<DIR, CloseStream> stream(fdopendir(own.number()));
  if (!stream) return LastError("fdopendir");
  own.Release();
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(stream.get());
    if (!entry) break;
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  if (errno != 0) return LastError("readdir");
  return names;
}

Status LinkAt(int from_directory, const std::string& from, int to_directory,
              const std::string& to) {
  if (!IsName(from) || !IsName(to)) return NotAName("linkat");
  // Without AT_SYMLINK_FOLLOW: a link gets a second name itself.
  if (linkat(from_directory, from.c_str(), to_directory, to.c_str(), 0) != 0) {
    return LastError("linkat");
  }
  return Done{};
}

Status UnlinkAt(int directory, const std::string& name) {
  if (!IsName(name)) return NotAName("unlinkat");
  if (unlinkat(directory, name.c_str(), 0) != 0) return LastError("unlinkat");
  return Done{};
}

Status LinkThenUnlink(int from_directory, const std::string& from, int to_directory,
                      const std::string& to) {
  auto linked = LinkAt(from_directory, from, to_directory, to);
  if (!linked.ok()) return linked;
  auto removed = UnlinkAt(from_directory, from);
  // Taken back, so that a failed call has changed nothing; if that fails too the file has two
  // names.
  if (!removed.ok()) unlinkat(to_directory, to.c_str(), 0);
  return removed;
}

}  // namespace fe
