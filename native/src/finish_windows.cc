// The end of a transaction: mark, remove, remove, close, in this order; see finish_posix.cc.
#include "content_windows.h"
#include "os.h"
#include "removal.h"

namespace fe {
namespace {

std::optional<OsError> WriteMark(const FinishRequest& request) {
  size_t written = 0;
  while (written < request.mark_bytes) {
    auto count = WriteAt(request.record.number(), request.mark + written,
                         request.mark_bytes - written, request.mark_position_bytes + written);
    if (!count.ok()) return std::move(count.error());
    if (count.value() == 0) return OsError{"WriteFile", "EIO", 0, "no byte was written"};
    written += count.value();
  }
  return std::nullopt;
}

}  // namespace

FinishReport Finish(FinishRequest request) {
  auto mark_error = WriteMark(request);
  auto record = Remove(request.directory, request.record_name);
  Result<Removal> lock = Removal::kAbsent;
  if (request.has_lock) lock = Remove(request.directory, request.lock_name);
  request.record.Close();
  request.lock.Close();
  return FinishReport{std::move(mark_error), std::move(record), std::move(lock), Descriptor()};
}

}  // namespace fe
