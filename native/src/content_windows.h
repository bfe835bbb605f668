// Reading and writing by a number of os.h.
//
// Elsewhere such a number is a descriptor, with which Node itself reads and writes; here it is not.
#pragma once

#include "os.h"

namespace fe {

// One call each; the count may be short. Zero from ReadAt = end of file.
Result<size_t> ReadAt(int file, uint8_t* bytes, size_t count, uint64_t position);
// Error: EBADF, if the file is open for reading only.
Result<size_t> WriteAt(int file, const uint8_t* bytes, size_t count, uint64_t position);
Status SetLength(int file, uint64_t size_bytes);

}  // namespace fe
