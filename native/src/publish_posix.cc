// From a file without a name to one that is durable under it.
//
// One function, so that it is one trip to the thread pool: each trip wakes two threads that sleep,
// which on a virtual machine takes as long as the sync of a small file.
//
// Sources: fsync(2), linkat(2).
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

std::optional<OsError> Sync(int file) {
  if (fsync(file) != 0) return LastError("fsync");
  return std::nullopt;
}

}  // namespace

PublishReport Publish(int file, int directory, const std::string& name) {
  PublishReport report;
  // Without this sync the name could outlive a power loss and lead to an empty or a torn file.
  report.error = Sync(file);
  if (report.error) return report;
  auto linked = LinkUnnamedFile(file, directory, name);
  if (!linked.ok()) {
    report.error = std::move(linked.error());
    return report;
  }
  report.has_name = true;
  // Without this sync the name could be gone after a power loss, and the content with it.
  report.error = Sync(directory);
  return report;
}

}  // namespace fe
