// A write lease: as long as it is held, the kernel makes every other opener of the file wait.
//
// Measured on Linux 6.18 with ext4, xfs, btrfs and tmpfs, where the manual page is silent:
//  - It is refused while any other handle of the file is open, in this process too; one that can
//    neither read nor write (O_PATH) does not count.
//  - It holds off open(2) and truncate(2), not rename(2), unlink(2) or chmod(2).
//  - On overlayfs it is granted though a mapping of the file can still be stored to, so there it
//    proves nothing; on a network or FUSE filesystem others are behind another kernel.
//
// The signal that says "somebody wants in" is SIGIO unless another is named, and SIGIO ends the
// process. So SIGURG, which nobody minds, is named before every call: the end of a lease forgets
// it. Sources: F_SETLEASE(2const), F_SETSIG(2const), proc_sys_fs(5) for lease-break-time.
#include <fcntl.h>
#include <sched.h>
#include <sys/statfs.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "identity_linux.h"
#include "os.h"
#include "posix_call.h"
#include "read_small_linux.h"

namespace fe {
namespace {

// A kernel that breaks leases sooner promises too little to be worth the calls.
constexpr int kLeastBreakSeconds = 5;

bool KeepsOutHere(int file) {
  struct statfs facts {};
  if (Retry([&] { return fstatfs(file, &facts); }) != 0) return false;
  const auto filesystem = FilesystemByMagic(static_cast<uint32_t>(facts.f_type));
  return filesystem.filesystem_class == FilesystemClass::kLocal && filesystem.type != "overlay";
}

// A program that opens and closes the file in a loop has it closed for a microsecond or two at a
// time, so only asking at once again meets such a moment. False = errno says why.
bool AskUntil(int file, std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    if (Retry([&] { return fcntl(file, F_SETLEASE, F_WRLCK); }) == 0) return true;
    if (errno != EAGAIN || std::chrono::steady_clock::now() >= deadline) return false;
    // On a machine with one processor, the other program closes the file only if it runs.
    sched_yield();
  }
}

// Seconds until the kernel breaks a lease by force, from when somebody asked for the file.
int BreakSeconds() {
  return std::atoi(ReadSmallFile("/proc/sys/fs/lease-break-time").c_str());
}

}  // namespace

Result<Lease> TakeLease(int file, uint32_t insist_us) {
  if (!KeepsOutHere(file)) return Lease{LeaseAnswer::kUnsupported, 0};
  const int break_seconds = BreakSeconds();
  if (break_seconds < kLeastBreakSeconds) return Lease{LeaseAnswer::kTooBrief, 0};
  if (fcntl(file, F_SETSIG, SIGURG) != 0) return LastError("fcntl");
  if (AskUntil(file, std::chrono::steady_clock::now() + std::chrono::microseconds(insist_us))) {
    return Lease{LeaseAnswer::kGranted, static_cast<uint32_t>(break_seconds) * 1000};
  }
  switch (errno) {
    case EAGAIN:
      return Lease{LeaseAnswer::kOpenElsewhere, 0};
    case EACCES:
    case EPERM:
      return Lease{LeaseAnswer::kNotOwner, 0};
    case EINVAL:
    case EOPNOTSUPP:
    case ENOLCK:
      return Lease{LeaseAnswer::kUnsupported, 0};
    default:
      return LastError("fcntl");
  }
}

Status EndLease(int file) {
  if (Retry([&] { return fcntl(file, F_SETLEASE, F_UNLCK); }) == 0) return Done{};
  // There is none, or none any more.
  if (errno == EAGAIN || errno == EINVAL) return Done{};
  return LastError("fcntl");
}

Result<bool> LeaseIsUnbroken(int file) {
  const int lease = fcntl(file, F_GETLEASE);
  if (lease == -1) return LastError("fcntl");
  return lease == F_WRLCK;
}

}  // namespace fe
