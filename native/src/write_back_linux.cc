// Beginning to write a file's pages to its disk, without waiting for it.
//
// Without it the kernel starts when fsync(2) asks, or after seconds; so the disk rests while a
// large record is hashed. A hint: it flushes no cache of the disk and no metadata, and what fails
// is reported by the fsync that follows, since only that takes note of an error (errseq_t).
//
// Source: sync_file_range(2).
#include <fcntl.h>

#include "os.h"
#include "posix_call.h"

namespace fe {

void StartWriteBack(int file, uint64_t position_bytes, uint64_t length_bytes) {
  // Zero would mean: to the end of the file.
  if (length_bytes == 0) return;
  // Not off64_t, which musl does not name; off_t has 64 bits on every system this is built for.
  static_assert(sizeof(off_t) == 8);
  (void)sync_file_range(file, static_cast<off_t>(position_bytes),
                        static_cast<off_t>(length_bytes), SYNC_FILE_RANGE_WRITE);
}

}  // namespace fe
