// Access lists and file capabilities of a handle, as raw bytes; lib/ makes digests of them.
//
// Sources: getxattr(2), xattr(7), acl(5), capabilities(7).
#include <sys/xattr.h>

#include <array>

#include "identity_linux.h"
#include "posix_call.h"
#include "proc_linux.h"

namespace fe {
namespace {

// XATTR_SIZE_MAX of the kernel, so a buffer of this size always suffices.
constexpr size_t kMaxAttributeBytes = 65536;

ssize_t Read(int descriptor, bool can_read, const char* name, char* room, size_t size) {
  // fgetxattr(2) refuses O_PATH; its entry in /proc leads to the same object without opening it.
  if (can_read) return fgetxattr(descriptor, name, room, size);
  return getxattr(ProcPath(descriptor).text(), name, room, size);
}

Result<std::optional<std::string>> AttributeOf(int descriptor, bool can_read, const char* name) {
  std::array<char, 512> usual;
  ssize_t count = Read(descriptor, can_read, name, usual.data(), usual.size());
  if (count >= 0) return std::optional<std::string>(std::in_place, usual.data(), count);
  if (errno == ENODATA || errno == EOPNOTSUPP) return std::optional<std::string>();
  // Capabilities for a user namespace that this one cannot name: there are some, of unknown
  // content.
  if (errno == EOVERFLOW) return std::optional<std::string>("");
  if (errno == ERANGE) {
    std::string large(kMaxAttributeBytes, '\0');
    count = Read(descriptor, can_read, name, large.data(), large.size());
    if (count >= 0) {
      large.resize(static_cast<size_t>(count));
      return std::optional<std::string>(std::move(large));
    }
  }
  return LastProcError(can_read ? "fgetxattr" : "getxattr");
}

}  // namespace

Result<PermissionFacts> PermissionOf(int descriptor, bool can_read, uint32_t magic,
                                     FileKind kind) {
  static constexpr std::array kLists{"system.posix_acl_access", "system.nfs4_acl",
                                     "system.richacl"};
  PermissionFacts facts;
  const size_t kinds = HasPosixAccessListsOnly(magic) ? 1 : kLists.size();
  for (size_t i = 0; i < kinds; ++i) {
    auto list = AttributeOf(descriptor, can_read, kLists[i]);
    if (!list.ok()) return std::move(list.error());
    if (list.value()) facts.access_lists.emplace_back(kLists[i], std::move(*list.value()));
  }
  if (kind == FileKind::kRegular) {
    auto capabilities = AttributeOf(descriptor, can_read, "security.capability");
    if (!capabilities.ok()) return std::move(capabilities.error());
    facts.capabilities = std::move(capabilities.value());
  }
  return facts;
}

}  // namespace fe
