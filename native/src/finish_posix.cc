// The end of a transaction: mark, unlink, unlink, close.
//
// The order matters if the process is killed inside it. A record with the mark but still named is
// reclaimed by the next edit; the lock file goes last, since only its holder may remove the record
// by name. Closing frees the locks, after both names are gone.
//
// Sources: pwrite(2), unlinkat(2), close(2).
#include <unistd.h>

#include "os.h"
#include "posix_call.h"

namespace fe {
namespace {

std::optional<OsError> WriteMark(const FinishRequest& request) {
  size_t written = 0;
  while (written < request.mark_bytes) {
    const auto position = static_cast<off_t>(request.mark_position_bytes + written);
    const ssize_t count = Retry([&] {
      return pwrite(request.record.number(), request.mark + written, request.mark_bytes - written,
                    position);
    });
    if (count < 0) return LastError("pwrite");
    if (count == 0) return ErrorFromNumber("pwrite", EIO);
    written += static_cast<size_t>(count);
  }
  return std::nullopt;
}

Result<Removal> Remove(int directory, const std::string& name) {
  auto removed = UnlinkAt(directory, name);
  if (removed.ok()) return Removal::kRemoved;
  if (removed.error().code == "ENOENT") return Removal::kAbsent;
  return std::move(removed.error());
}

}  // namespace

FinishReport Finish(FinishRequest request) {
  auto mark_error = WriteMark(request);
  auto record = Remove(request.directory, request.record_name);
  Result<Removal> lock = Removal::kAbsent;
  if (request.has_lock) lock = Remove(request.directory, request.lock_name);
  request.record.Close();
  request.lock.Close();
  return FinishReport{std::move(mark_error), std::move(record), std::move(lock)};
}

}  // namespace fe
