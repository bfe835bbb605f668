// The end of a transaction: mark, unlink, unlink, close.
//
// The order matters if the process is killed inside it. A record with the mark but still named is
// reclaimed by the next edit; the lock file goes last, since only its holder may remove the record
// by name. The locks are let go after both names are gone.
//
// The last close of a removed file gives back its blocks and its pages. For 4 KiB that took 50 us,
// as long as all of this without it, and for 128 MiB 40 to 60 ms (Linux 6.18, ext4 that tells its
// disk of free blocks). So a record is only unlocked here. A small one is handed back, to be closed
// once the answer is given; a large one would block the event loop and is closed by a thread of its
// own. Nobody waits for either: if the process ends first, the kernel closes them.
//
// Sources: pwrite(2), unlinkat(2), close(2), flock(2), pthread_create(3).
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os.h"
#include "posix_call.h"
#include "removal.h"

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

// Closing a removed file up to this size takes about a millisecond; starting a thread, a tenth.
constexpr off_t kClosedByCallerBytes = 4 * 1024 * 1024;

void* CloseGiven(void* number) {
  Descriptor(static_cast<int>(reinterpret_cast<intptr_t>(number))).Close();
  return nullptr;
}

// Lets go of the lock now and of the file soon: answers it if the caller has to. What fails is made
// up for by closing at once.
Descriptor LetGoOf(Descriptor record) {
  struct stat status {};
  if (fstat(record.number(), &status) != 0 || flock(record.number(), LOCK_UN) != 0) return {};
  if (status.st_size <= kClosedByCallerBytes) return record;
  pthread_t thread;
  void* number = reinterpret_cast<void*>(static_cast<intptr_t>(record.number()));
  if (pthread_create(&thread, nullptr, CloseGiven, number) != 0) return {};
  pthread_detach(thread);
  record.Release();
  return {};
}

}  // namespace

FinishReport Finish(FinishRequest request) {
  auto mark_error = WriteMark(request);
  auto record = Remove(request.directory, request.record_name);
  Result<Removal> lock = Removal::kAbsent;
  if (request.has_lock) lock = Remove(request.directory, request.lock_name);
  auto rest = LetGoOf(std::move(request.record));
  request.lock.Close();
  return FinishReport{std::move(mark_error), std::move(record), std::move(lock), std::move(rest)};
}

}  // namespace fe
