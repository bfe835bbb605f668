// Opening and making files of the store.
//
// Source: NtCreateFile in the Windows Driver Kit.
#include "open_file_windows.h"

namespace fe {
namespace {

// As on the other systems: each round lost means that somebody made or removed the file just then.
constexpr int kMaxRounds = 100;

}  // namespace

Result<Descriptor> OpenFileAt(int directory, const std::string& name, Access access) {
  auto wide = NameOf("NtCreateFile", name);
  if (!wide.ok()) return std::move(wide.error());
  // First without opening it, so that only what is a regular file is.
  auto found = OpenObject({.directory = HandleOf(directory),
                                            .name = std::move(wide.value())});
  if (!found.ok()) return std::move(found.error());
  auto entry = EntryStatusOfHandle(found.value().value());
  if (!entry.ok()) return std::move(entry.error());
  if (entry.value().kind == FileKind::kSymlink) {
    return FoundHere("NtCreateFile", "ELOOP", "a link stands there");
  }
  if (entry.value().kind != FileKind::kRegular) {
    return FoundHere("NtCreateFile", "EFTYPE", "not a regular file");
  }
  const ACCESS_MASK wanted = access == Access::kRead ? kRead : kWrite;
  auto opened = OpenAgain(found.value().value(), wanted, kShareAll, FILE_NON_DIRECTORY_FILE);
  if (!opened.ok()) return std::move(opened.error());
  return Keep(std::move(opened.value()));
}

Result<Descriptor> CreateFileAt(int directory, const std::string& name, uint32_t mode) {
  auto wide = NameOf("NtCreateFile", name);
  if (!wide.ok()) return std::move(wide.error());
  auto security = PrivateSecurity::Make("NtCreateFile", mode, false);
  if (!security.ok()) return std::move(security.error());
  auto made = OpenObject({.directory = HandleOf(directory),
                          .name = std::move(wide.value()),
                          .access = kWrite,
                          .disposition = FILE_CREATE,
                          .options = FILE_NON_DIRECTORY_FILE | FILE_OPEN_REPARSE_POINT,
                          .security = security.value().get()});
  if (!made.ok()) return std::move(made.error());
  return Keep(std::move(made.value()));
}

Result<Descriptor> OpenOrCreateFileAt(int directory, const std::string& name, uint32_t mode) {
  for (int round = 0; round < kMaxRounds; ++round) {
    auto opened = OpenFileAt(directory, name, Access::kReadWrite);
    // ESTALE: removed and made again between the two openings.
    if (opened.ok()) return opened;
    const std::string& code = opened.error().code;
    if (code == "ESTALE") continue;
    if (code != "ENOENT") return opened;
    auto made = CreateFileAt(directory, name, mode);
    if (made.ok() || made.error().code != "EEXIST") return made;
  }
  return FoundHere("NtCreateFile", "EAGAIN", "it comes and goes");
}

Result<Descriptor> CreateUnnamedFile(int, uint32_t) {
  return FoundHere("NtCreateFile", "EOPNOTSUPP", "Windows has no files without a name");
}

Status LinkUnnamedFile(int, int, const std::string& name) {
  auto wide = NameOf("NtSetInformationFile", name);
  if (!wide.ok()) return std::move(wide.error());
  return FoundHere("NtSetInformationFile", "EOPNOTSUPP", "Windows has no files without a name");
}

PublishReport Publish(int, int, const std::string& name) {
  PublishReport report;
  auto linked = LinkUnnamedFile(-1, -1, name);
  report.error = std::move(linked.error());
  return report;
}

}  // namespace fe
