// For the files of POSIX systems: calling the system.
#pragma once

#include <cerrno>
#include <string>

#include "os_error.h"

namespace fe {

// Repeats a call that a signal interrupted. Not for close(2), whose descriptor is gone by then.
template <typename Call>
auto Retry(Call call) -> decltype(call()) {
  decltype(call()) answer;
  do {
    answer = call();
  } while (answer == -1 && errno == EINTR);
  return answer;
}

// The error of the call that has just failed.
inline OsError LastError(const char* operation) { return ErrorFromNumber(operation, errno); }

// Whether `name` is one component of a path, and neither `.` nor `..`.
inline bool IsName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

inline OsError NotAName(const char* operation) {
  return OsError{operation, "EINVAL", EINVAL,
                 "a single name is wanted: not empty, not \".\" or \"..\", no \"/\", no NUL"};
}

}  // namespace fe
