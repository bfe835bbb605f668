// The access list of a handle, as bytes; lib/ makes a digest of them. There are no file
// capabilities here.
//
// Sources: acl(3), acl_get_fd_np(3), acl_copy_ext(3) of macOS.
#include <sys/acl.h>
#include <sys/types.h>

#include <memory>

#include "identity_darwin.h"
#include "posix_call.h"

namespace fe {
namespace {

struct FreeList {
  void operator()(void* list) const { acl_free(list); }
};

// No list, or a filesystem that keeps none.
bool MeansNone(int number) {
  return number == ENOENT || number == EOPNOTSUPP || number == ENOTSUP;
}

}  // namespace

Result<PermissionFacts> PermissionOf(int descriptor) {
  PermissionFacts facts;
  const std::unique_ptr<std::remove_pointer_t<acl_t>, FreeList> list(
      acl_get_fd_np(descriptor, ACL_TYPE_EXTENDED));
  if (!list) {
    if (MeansNone(errno)) return facts;
    return LastError("acl_get_fd_np");
  }
  const ssize_t size = acl_size(list.get());
  if (size < 0) return LastError("acl_size");
  std::string bytes(static_cast<size_t>(size), '\0');
  // The form that does not depend on the processor.
  const ssize_t count = acl_copy_ext(bytes.data(), list.get(), size);
  if (count < 0) return LastError("acl_copy_ext");
  bytes.resize(static_cast<size_t>(count));
  facts.access_lists.emplace_back("acl_extended", std::move(bytes));
  return facts;
}

}  // namespace fe
