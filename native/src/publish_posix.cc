// From a file without a name to one that is durable under it.
//
// One function, so that it is one trip to the thread pool: each trip wakes two threads that sleep,
// which on a virtual machine takes as long as the sync of a small file.
//
// Sources: those of flush_*.cc; linkat(2).
#include "os.h"

namespace fe {

PublishReport Publish(int file, int directory, const std::string& name) {
  PublishReport report;
  // Without this sync the name could outlive a power loss and lead to an empty or a torn file.
  auto flushed = Flush(file);
  if (!flushed.ok()) {
    report.error = std::move(flushed.error());
    return report;
  }
  auto linked = LinkUnnamedFile(file, directory, name);
  if (!linked.ok()) {
    report.error = std::move(linked.error());
    return report;
  }
  report.has_name = true;
  // Without this sync the name could be gone after a power loss, and the content with it.
  flushed = Flush(directory);
  if (!flushed.ok()) report.error = std::move(flushed.error());
  return report;
}

}  // namespace fe
