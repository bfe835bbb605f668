// errno -> POSIX name.
#include <cerrno>
#include <system_error>

#include "os_error.h"

namespace fe {
namespace {

// EAGAIN and EOPNOTSUPP have a second name with the same number on Linux (EWOULDBLOCK, ENOTSUP). On
// macOS ENOTSUP has a number of its own and means the same.
const char* NameOf(int number) {
  switch (number) {
#define FE_NAME(name) \
  case name:          \
    return #name
    FE_NAME(E2BIG);
    FE_NAME(EACCES);
    FE_NAME(EAGAIN);
    FE_NAME(EBADF);
    FE_NAME(EBUSY);
    FE_NAME(EDQUOT);
    FE_NAME(EEXIST);
    FE_NAME(EFAULT);
    FE_NAME(EFBIG);
    FE_NAME(EINTR);
    FE_NAME(EINVAL);
    FE_NAME(EIO);
    FE_NAME(EISDIR);
    FE_NAME(ELOOP);
    FE_NAME(EMFILE);
    FE_NAME(EMLINK);
    FE_NAME(ENAMETOOLONG);
    FE_NAME(ENFILE);
    FE_NAME(ENODEV);
    FE_NAME(ENOENT);
    FE_NAME(ENOLCK);
    FE_NAME(ENOMEM);
    FE_NAME(ENOSPC);
    FE_NAME(ENOSYS);
    FE_NAME(ENOTCONN);
    FE_NAME(ENOTDIR);
    FE_NAME(ENOTEMPTY);
    FE_NAME(ENOTTY);
    FE_NAME(ENXIO);
    FE_NAME(EOPNOTSUPP);
    FE_NAME(EOVERFLOW);
    FE_NAME(EPERM);
    FE_NAME(EROFS);
    FE_NAME(ESPIPE);
    FE_NAME(ESRCH);
    FE_NAME(ESTALE);
    FE_NAME(ETIMEDOUT);
    FE_NAME(ETXTBSY);
    FE_NAME(EXDEV);
#undef FE_NAME
#if ENOTSUP != EOPNOTSUPP
    case ENOTSUP:
      return "EOPNOTSUPP";
#endif
    default:
      return nullptr;
  }
}

}  // namespace

OsError ErrorFromNumber(const char* operation, int native_code) {
  const char* name = NameOf(native_code);
  std::string code(name ? name : "E");
  if (!name) code.append(std::to_string(native_code));
  return OsError{operation, std::move(code), native_code,
                 std::generic_category().message(native_code)};
}

}  // namespace fe
