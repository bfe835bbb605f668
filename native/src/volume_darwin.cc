// The id of a filesystem that outlives a reboot: its UUID.
//
// `st_dev` and `f_fsid` are given anew when a volume is mounted. Where a filesystem has no UUID
// (FAT and network ones may not), `f_fsid` must do, and where that is zero, `st_dev`.
//
// Source: getattrlist(2) of macOS, ATTR_VOL_UUID.
#include <sys/attr.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "identity_darwin.h"

namespace fe {
namespace {

// What fgetattrlist(2) fills: the length of all, then the one attribute that was asked for.
struct __attribute__((packed, aligned(4))) VolumeAttributes {
  uint32_t length;
  std::array<unsigned char, 16> uuid;
};

uint64_t BigEndian(const unsigned char* bytes) {
  uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number = number << 8 | bytes[i];
  return number;
}

}  // namespace

VolumeId VolumeOf(int descriptor, const struct statfs& facts, uint64_t device) {
  attrlist wanted{};
  wanted.bitmapcount = ATTR_BIT_MAP_COUNT;
  wanted.volattr = ATTR_VOL_INFO | ATTR_VOL_UUID;
  VolumeAttributes answer{};
  const bool has_answer = fgetattrlist(descriptor, &wanted, &answer, sizeof answer, 0) == 0 &&
                          answer.length == sizeof answer;
  const bool is_zero = std::all_of(answer.uuid.begin(), answer.uuid.end(),
                                   [](unsigned char byte) { return byte == 0; });
  if (has_answer && !is_zero) {
    return {BigEndian(answer.uuid.data()), BigEndian(answer.uuid.data() + 8)};
  }
  const auto low = static_cast<uint32_t>(facts.f_fsid.val[0]);
  const auto high = static_cast<uint32_t>(facts.f_fsid.val[1]);
  const uint64_t number = uint64_t{high} << 32 | low;
  return {0, number != 0 ? number : device};
}

}  // namespace fe
