// What every function of os.h answers: a value, or the system's own error.
//
// No exception crosses a file of the system layer; a caller cannot forget to look, since the value
// is only had through `ok()` and `value()`.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace fe {

// A failed system call.
struct OsError {
  // The call as its manual page names it: `openat`. Always a string literal.
  const char* operation;
  // POSIX name such as `ENOENT`; `EFTYPE` = an entry of another kind than was asked for.
  std::string code;
  // errno (Windows: GetLastError). 0 = found here, not by the system.
  int native_code;
  // For people; without the name of the operation.
  std::string message;
};

// Makes the error of a failed call from errno (Windows: GetLastError). Allocates.
OsError ErrorFromNumber(const char* operation, int native_code);

// Either a value or an OsError. Move-only if T is.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(OsError error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  // Only if ok(): anything else throws std::bad_variant_access, which is a defect here.
  T& value() { return std::get<0>(state_); }
  // Only if not ok().
  OsError& error() { return std::get<1>(state_); }

 private:
  std::variant<T, OsError> state_;
};

// The value of a call that has none.
struct Done {};
using Status = Result<Done>;

}  // namespace fe
