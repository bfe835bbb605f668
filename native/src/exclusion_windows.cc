// Keeping others out: the file is opened again so that nobody else may write, rename or remove it.
//
// The system then refuses every such opening at once with a sharing violation, for as long as the
// handle is open, so nothing has to be waited for and nothing can break it. It is granted only if
// nobody has the file open in such a way now. Our own handle would be in the way, so it is closed
// first; meanwhile one that only looks, and is in nobody's way, holds the object.
//
// A file that a program has mapped for writing and closed counts as open: filesystems look for such
// mappings when writing is not shared (MmDoesFileHaveUserWritableReferences in Microsoft's fastfat
// sample). Sources: "Creating and Opening Files" of the Windows documentation, IoCheckShareAccess
// in the Windows Driver Kit.
#include <chrono>

#include "open_file_windows.h"

namespace fe {
namespace {

ACCESS_MASK AccessOf(int file) { return HasMark(file, FileMark::kWritable) ? kWrite : kRead; }

// Opens the object for nobody else to change; asks again while it is open elsewhere.
Result<Handle> OpenAlone(HANDLE object, ACCESS_MASK access,
                         std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    auto alone = OpenAgain(object, access, FILE_SHARE_READ, FILE_NON_DIRECTORY_FILE);
    const bool is_over = std::chrono::steady_clock::now() >= deadline;
    if (alone.ok() || alone.error().code != "EBUSY" || is_over) return alone;
    SwitchToThread();
  }
}

// Gives the file a handle that shares everything again. If this fails the file is closed, and every
// later use answers EBADF.
Status ShareAgain(int file, HANDLE object) {
  auto again = OpenAgain(object, AccessOf(file), kShareAll, FILE_NON_DIRECTORY_FILE);
  if (!again.ok()) return std::move(again.error());
  ReplaceHandle(file, std::move(again.value()));
  return Done{};
}

}  // namespace

Result<Lease> TakeLease(int file, uint32_t insist_us) {
  if (HasMark(file, FileMark::kExclusive)) return Lease{LeaseAnswer::kGranted, kHoldsForGood};
  const HANDLE old = HandleOf(file);
  // Behind a redirector others are kept out by the server, if at all.
  if (FilesystemOf(old).filesystem_class != FilesystemClass::kLocal) {
    return Lease{LeaseAnswer::kUnsupported, 0};
  }
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::microseconds(insist_us);
  auto held = OpenAgain(old, kLook, kShareAll, FILE_NON_DIRECTORY_FILE);
  if (!held.ok()) return std::move(held.error());
  const HANDLE object = held.value().value();
  ReplaceHandle(file, Handle());
  auto alone = OpenAlone(object, AccessOf(file), deadline);
  if (alone.ok()) {
    ReplaceHandle(file, std::move(alone.value()));
    SetMark(file, FileMark::kExclusive, true);
    return Lease{LeaseAnswer::kGranted, kHoldsForGood};
  }
  auto shared = ShareAgain(file, object);
  if (!shared.ok()) return std::move(shared.error());
  if (alone.error().code == "EBUSY") return Lease{LeaseAnswer::kOpenElsewhere, 0};
  return std::move(alone.error());
}

Status EndLease(int file) {
  if (!HasMark(file, FileMark::kExclusive)) return Done{};
  auto held = OpenAgain(HandleOf(file), kLook, kShareAll, FILE_NON_DIRECTORY_FILE);
  if (!held.ok()) return std::move(held.error());
  ReplaceHandle(file, Handle());
  SetMark(file, FileMark::kExclusive, false);
  return ShareAgain(file, held.value().value());
}

Result<bool> LeaseIsUnbroken(int file) { return HasMark(file, FileMark::kExclusive); }

}  // namespace fe
