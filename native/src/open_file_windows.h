// For the *_windows.cc files: open files, and opening them.
//
// A number of os.h is a place in a table here, not a handle: a file can so get another handle under
// the same number when others are kept out (exclusion_windows.cc), and a number is not given twice.
//
// W1  Every file is opened so that others may read, write, rename and remove it meanwhile; the one
//     exception is the exclusion.
// W2  A name is opened itself, not what it leads to, if it is a link (FILE_OPEN_REPARSE_POINT).
// W3  A handle is not inherited by children: none is asked for as inheritable (O1).
#pragma once

#include <string>

#include "nt_windows.h"
#include "os.h"

namespace fe {

// Owner of a handle; closes it at its end.
class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE value) : value_(value) {}
  Handle(Handle&& other) noexcept : value_(other.Release()) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      Close();
      value_ = other.Release();
    }
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { Close(); }

  HANDLE value() const { return value_; }
  HANDLE Release() { return std::exchange(value_, INVALID_HANDLE_VALUE); }
  void Close() {
    if (value_ != INVALID_HANDLE_VALUE) CloseHandle(Release());
  }

 private:
  HANDLE value_ = INVALID_HANDLE_VALUE;
};

// Puts it into the table.
Descriptor Keep(Handle handle);
Descriptor KeepWritable(Handle handle);
// INVALID_HANDLE_VALUE if there is no such number: a call with it fails with EBADF.
HANDLE HandleOf(int number);
// Gives the file another handle and closes the one that it had.
void ReplaceHandle(int number, Handle handle);

// What is known of an open file beside its handle.
enum class FileMark { kWritable, kLocked, kExclusive };
void SetMark(int number, FileMark mark, bool value);
bool HasMark(int number, FileMark mark);

// ---- Opening ----------------------------------------------------------------------------------

inline constexpr ACCESS_MASK kLook = FILE_READ_ATTRIBUTES | READ_CONTROL | SYNCHRONIZE;
inline constexpr ACCESS_MASK kRead = kLook | FILE_READ_DATA;
inline constexpr ACCESS_MASK kWrite =
    kRead | FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_WRITE_ATTRIBUTES;
inline constexpr ULONG kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

// What NtCreateFile is asked.
struct OpenQuestion {
  // Null: `name` is a whole path of the object manager (`\??\C:\`). INVALID_HANDLE_VALUE: EBADF.
  HANDLE directory = nullptr;
  // Empty: the very object of `directory`.
  std::wstring name;
  ACCESS_MASK access = kLook;
  ULONG share = kShareAll;
  ULONG disposition = FILE_OPEN;
  // Beside those that every call has.
  ULONG options = FILE_OPEN_REPARSE_POINT;
  // Of a file that is made.
  PSECURITY_DESCRIPTOR security = nullptr;
};

Result<Handle> OpenObject(const OpenQuestion& question);
// Opens the object of a handle again, whatever happened to its name. Error: ESTALE, if the system
// led to another object.
Result<Handle> OpenAgain(HANDLE handle, ACCESS_MASK access, ULONG share, ULONG options);

// The error of a native call.
OsError ErrorFromStatus(const char* operation, NTSTATUS status);
// The error of the Win32 call that has just failed.
inline OsError LastError(const char* operation) {
  return ErrorFromNumber(operation, static_cast<int>(GetLastError()));
}
// An error that was found here.
OsError FoundHere(const char* operation, const char* code, const char* message);

// ---- Names ------------------------------------------------------------------------------------

// None = not UTF-8.
std::optional<std::wstring> ToWide(const std::string& text);
// A surrogate without its other half becomes U+FFFD.
std::string ToUtf8(std::wstring_view text);

// The name as the system takes it. Refused with EINVAL: what is no single component, and what no
// file can be called (a stream, a wildcard, a dot or space at the end).
Result<std::wstring> NameOf(const char* operation, const std::string& name);

// ---- What a file is ---------------------------------------------------------------------------

struct FileId {
  uint64_t volume = 0;
  uint64_t high = 0;
  uint64_t low = 0;
  bool operator==(const FileId&) const = default;
};

Result<FileId> FileIdOf(HANDLE handle);
Result<EntryStatus> EntryStatusOfHandle(HANDLE handle);
FilesystemFacts FilesystemOf(HANDLE handle);

// ---- Access lists -----------------------------------------------------------------------------

// The bytes of the self-relative security descriptor: owner, group and access list.
Result<std::string> SecurityOf(HANDLE handle);

// A descriptor that lets only the user, the system and administrators in.
class PrivateSecurity {
 public:
  // Error: EINVAL, if `mode` has bits for group or others: no such access list is made here.
  static Result<PrivateSecurity> Make(const char* operation, uint32_t mode, bool is_directory);
  PrivateSecurity(PrivateSecurity&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, nullptr)) {}
  PrivateSecurity& operator=(PrivateSecurity&&) = delete;
  PrivateSecurity(const PrivateSecurity&) = delete;
  ~PrivateSecurity();
  PSECURITY_DESCRIPTOR get() const { return descriptor_; }

 private:
  explicit PrivateSecurity(PSECURITY_DESCRIPTOR descriptor) : descriptor_(descriptor) {}
  PSECURITY_DESCRIPTOR descriptor_;
};

}  // namespace fe
