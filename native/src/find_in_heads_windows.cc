// Which of many small files begin with bytes that hold others; see find_in_heads_posix.cc.
#include <algorithm>

#include "content_windows.h"
#include "open_file_windows.h"

namespace fe {
namespace {

// What makes a file none of those that are looked for; anything else is a failure of the search.
bool IsLeftOut(const OsError& error) {
  static const std::string kCodes[] = {"ENOENT", "EACCES", "EBUSY", "EIO", "ELOOP", "EFTYPE"};
  return std::find(std::begin(kCodes), std::end(kCodes), error.code) != std::end(kCodes);
}

// Reads until `room` is full or the file ends.
Result<size_t> ReadHead(int file, std::vector<uint8_t>& room) {
  size_t done = 0;
  while (done < room.size()) {
    auto count = ReadAt(file, room.data() + done, room.size() - done, done);
    if (!count.ok()) return count;
    if (count.value() == 0) break;
    done += count.value();
  }
  return done;
}

}  // namespace

Result<std::vector<size_t>> FindInHeads(int directory, const std::vector<std::string>& names,
                                        const std::string& bytes, size_t within_bytes) {
  std::vector<size_t> found;
  std::vector<uint8_t> head(within_bytes);
  // As what the head is made of: a `char` above 127 is negative, and equal to no byte of it.
  const auto* wanted = reinterpret_cast<const uint8_t*>(bytes.data());
  for (size_t index = 0; index < names.size(); ++index) {
    auto file = OpenFileAt(directory, names[index], Access::kRead);
    if (!file.ok()) {
      if (IsLeftOut(file.error())) continue;
      return std::move(file.error());
    }
    auto read = ReadHead(file.value().number(), head);
    if (!read.ok()) {
      if (IsLeftOut(read.error())) continue;
      return std::move(read.error());
    }
    const auto end = head.begin() + static_cast<std::ptrdiff_t>(read.value());
    if (std::search(head.begin(), end, wanted, wanted + bytes.size()) != end) {
      found.push_back(index);
    }
  }
  return found;
}

}  // namespace fe
