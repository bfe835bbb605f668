// The system, as the addon needs it: every type and function of the system layer.
//
// No Node-API and no system header stands here, so each file behind it can be built into a plain
// program. Which file that is on which system, binding.gyp says. Longer than 300 lines because it
// is one contract, as lib/os.ts is.
//
// Common to all functions:
// C1  Names and paths are bytes (Windows: UTF-8). A name is one component; anything else is EINVAL.
// C2  A descriptor that is returned is close-on-exec, and belongs to the caller.
// C3  On failure nothing has changed, unless the function's text says otherwise.
// C4  All may block as long as the filesystem does, and only so long: no lock is waited for, no
//     FIFO and no lease. All may be called twice and from several threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os_error.h"

namespace fe {

// ---- Descriptors ------------------------------------------------------------------------------

// Owner of an open file descriptor; closes it at its end.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.Release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      Close();
      number_ = other.Release();
    }
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }

  // -1 = none.
  int number() const { return number_; }
  // Gives the descriptor away.
  int Release() { return std::exchange(number_, -1); }
  // Closes now; harmless if there is none. An error of close(2) is not reported: on Linux the
  // descriptor is gone all the same, and what must be durable was synced before.
  void Close();

 private:
  int number_ = -1;
};

// ---- What a file is ---------------------------------------------------------------------------

enum class FileKind {
  kRegular,
  kDirectory,
  kSymlink,
  kFifo,
  kSocket,
  kBlockDevice,
  kCharacterDevice,
  kUnknown,
};

struct EntryStatus {
  FileKind kind = FileKind::kUnknown;
  uint64_t device = 0;
  uint64_t file = 0;
  uint64_t file_high = 0;  // Windows: the upper half of an id of 128 bits.
  uint64_t size_bytes = 0;
  uint64_t link_count = 0;
  // At most 07777 (Windows: the owner's part only; the rest is in the access list).
  uint32_t mode = 0;
  // Decimal uid and gid (Windows: empty; they are in the descriptor).
  std::string owner;
  std::string group;
  std::string security;  // Windows: the self-relative security descriptor.
  // ns since 1970. A time that 64 bits cannot hold (after 2262) stands as the nearest they can.
  int64_t modified_ns = 0;
  // As above; none = the filesystem keeps no birth time.
  std::optional<int64_t> birth_time_ns;
};

// Up to 128 bits.
struct VolumeId {
  uint64_t high = 0;
  uint64_t low = 0;
};

struct FileIdentity {
  VolumeId volume;
  // None = the filesystem has none, or the handle cannot read.
  std::optional<uint32_t> generation;
  // Type (4 bytes) and bytes of the file handle in hex. Empty = none.
  std::string handle;
};

struct PermissionFacts {
  // Name of the attribute and its bytes, in a fixed order. Empty = nothing beside the mode.
  std::vector<std::pair<std::string, std::string>> access_lists;
  // Bytes of `security.capability`.
  std::optional<std::string> capabilities;
};

enum class FilesystemClass { kLocal, kNetwork, kFuse, kPseudo };

struct FilesystemFacts {
  // Name, or `0x` and the magic number.
  std::string type;
  FilesystemClass filesystem_class = FilesystemClass::kLocal;
};

// Everything that is asked of a target, its parent, or the store.
struct FileStatus {
  EntryStatus entry;
  FileIdentity identity;
  PermissionFacts permission;
  FilesystemFacts filesystem;
};

// Of any descriptor, also one that can neither read nor write.
Result<EntryStatus> EntryStatusOf(int descriptor);

// Without following a link.
Result<EntryStatus> EntryStatusAt(int directory, const std::string& name);

// `nearby_directory`: a directory that may be on the same filesystem, by which its id is asked for
// if `descriptor` itself cannot be; -1 = none. It is opened for reading, `descriptor` never is
// again. Without `kWithPermission` that part of the answer is empty.
enum class Permission { kLeftOut, kWithPermission };
Result<FileStatus> StatusOf(int descriptor, int nearby_directory, Permission permission);

// ---- Finding a target -------------------------------------------------------------------------

// How the way to the parent is walked. Both refuse a link on it with ELOOP.
enum class WalkRoute {
  // One call if the kernel has it (Linux 5.6, macOS 11), else as below.
  kBest,
  // A call for each component.
  kComponents,
};

struct Walked {
  // Both can neither read nor write. The root is its own parent.
  Descriptor parent;
  Descriptor target;
};

// `real_path`: absolute, without empty components, `.` and `..`; else EINVAL.
// Errors: ENOENT, ENOTDIR, EACCES, ELOOP (a link on the way, or the object is one). macOS: EFTYPE
// for what is neither a regular file nor a directory.
Result<Walked> WalkTo(const std::string& real_path, WalkRoute route);

enum class Access { kRead, kReadWrite };

// Opens the very object of `descriptor` (which can neither read nor write), without blocking.
// Errors: EACCES, EROFS, ETXTBSY, EAGAIN (a lease); ENOSYS (no /proc).
Result<Descriptor> Reopen(int descriptor, Access access);

// ---- The store --------------------------------------------------------------------------------

// Follows links.
Result<Descriptor> OpenDirectoryByPath(const std::string& path);
// Errors: ENOENT, ELOOP (a link), ENOTDIR.
Result<Descriptor> OpenDirectoryAt(int directory, const std::string& name);
// Without `.` and `..`, in no order.
Result<std::vector<std::string>> ListNames(int directory);
// Mode is exact whatever the umask; a directory whose mode cannot be set is removed again.
Status MakeDirectoryAt(int directory, const std::string& name, uint32_t mode);

// Errors: ENOENT, EACCES, ELOOP (a link), EFTYPE (neither link nor regular file; it is not opened).
Result<Descriptor> OpenFileAt(int directory, const std::string& name, Access access);
// Error: EEXIST. Mode as in MakeDirectoryAt. For reading and writing.
Result<Descriptor> CreateFileAt(int directory, const std::string& name, uint32_t mode);
Result<Descriptor> OpenOrCreateFileAt(int directory, const std::string& name, uint32_t mode);
// Error: EOPNOTSUPP. Mode as in MakeDirectoryAt. For reading and writing.
Result<Descriptor> CreateUnnamedFile(int directory, uint32_t mode);
// Error: EEXIST.
Status LinkUnnamedFile(int file, int directory, const std::string& name);

// Content and length, or the names of a directory, are durable afterwards. A failed one must not be
// repeated. Meant for a thread that may block.
Status Flush(int file);

struct PublishReport {
  // Whether the name was made.
  bool has_name = false;
  // Of the part that failed; those after it were not tried.
  std::optional<OsError> error;
};

// Syncs the file, gives it its name, syncs the directory. Meant for a thread that may block.
PublishReport Publish(int file, int directory, const std::string& name);

// Places in `names` of the regular files that hold `bytes` within their first `within_bytes`. Those
// that are not there, of another kind, may not be read, or cannot be read from the disk are left
// out. Meant for a thread that may block.
Result<std::vector<size_t>> FindInHeads(int directory, const std::vector<std::string>& names,
                                        const std::string& bytes, size_t within_bytes);

// Errors: EEXIST, EXDEV.
Status LinkAt(int from_directory, const std::string& from, int to_directory, const std::string& to);
// Never in another's place. Errors: EEXIST, EXDEV. Where the system has no such call, a link and an
// unlink, so that the file has two names for a moment; a directory cannot be moved there (EPERM).
Status RenameAt(int from_directory, const std::string& from, int to_directory,
                const std::string& to);
Status UnlinkAt(int directory, const std::string& name);

// Lets the disk begin to write these bytes; may wait for its queue. Nothing is durable by it.
void StartWriteBack(int file, uint64_t position_bytes, uint64_t length_bytes);

// Exclusive, never waiting. False = another handle has it.
Result<bool> TryLock(int file);

// ---- Keeping others out -----------------------------------------------------------------------

// Why not: another handle of the file is open; it belongs to somebody else; the filesystem has no
// lease that can be relied on; a setting of this system lets others in too soon.
enum class LeaseAnswer { kGranted, kOpenElsewhere, kNotOwner, kUnsupported, kTooBrief };

// Others are refused at once and not made to wait, so there is no time after which they are let in.
constexpr uint32_t kHoldsForGood = UINT32_MAX;

struct Lease {
  LeaseAnswer answer = LeaseAnswer::kUnsupported;
  // So long, in ms, the kernel makes others wait at least, from when the lease was granted.
  uint32_t holds_ms = 0;
};

// Keeps every other opener of the file out; ends with the descriptor, with the process, or by
// EndLease, which is harmless where there is none. If the file is open elsewhere, it asks again for
// `insist_us`, and blocks its thread for as long.
Result<Lease> TakeLease(int file, uint32_t insist_us);
Status EndLease(int file);
// Whether it is held and nobody has asked for the file since.
Result<bool> LeaseIsUnbroken(int file);

// Room for the file to grow to `size_bytes`; its length stays. False = the system cannot say. A
// success may clear set-id bits and moves the modification time. Errors: ENOSPC, EDQUOT, EFBIG.
Result<bool> Reserve(int file, uint64_t size_bytes);

// ---- Ending a transaction ---------------------------------------------------------------------

enum class Removal { kRemoved, kAbsent };

struct FinishReport {
  std::optional<OsError> mark_error;
  Result<Removal> record;
  // As `record`; kAbsent if there is no lock.
  Result<Removal> lock;
  // The record, unlocked: to be closed soon, when nobody waits for it. May be none.
  Descriptor rest;
};

// Takes both descriptors: their locks are let go at the end, whatever failed.
struct FinishRequest {
  int directory = -1;
  Descriptor record;
  std::string record_name;
  const uint8_t* mark = nullptr;
  size_t mark_bytes = 0;
  uint64_t mark_position_bytes = 0;
  bool has_lock = false;
  Descriptor lock;
  std::string lock_name;
};

// Writes the mark, unlinks the record, unlinks the lock file, lets go of both; each is tried
// whatever became of those before. A descriptor of -1 makes its call fail with EBADF.
FinishReport Finish(FinishRequest request);

// ---- The machine and its processes ------------------------------------------------------------

struct BootFacts {
  // What changes at every start of the machine. Empty = unknown.
  std::string boot_id;
  std::optional<uint64_t> pid_namespace;
  // Id of the installation. Empty = unknown.
  std::string machine_id;
};

// What cannot change while a process lives. What cannot be read is left out; no call of this fails.
BootFacts ReadBootFacts();
// Time of the boot, ms since 1970; moves when the clock is set.
double BootTimeMs();

enum class ProcessAnswer { kExists, kAbsent, kDenied, kUnclear };

struct ProcessProbe {
  ProcessAnswer answer = ProcessAnswer::kUnclear;
  // Clock ticks since boot (macOS: microseconds since 1970, Windows: 100 ns since 1601). None =
  // cannot be read.
  std::optional<uint64_t> start_time;
};

// A `pid` below 1 is kUnclear: to kill(2) it would mean a group, or everybody.
ProcessProbe ProbeProcess(int64_t pid);
std::optional<uint64_t> OwnStartTime();
std::string EffectiveOwner();  // Decimal uid (Windows: SID). Empty = cannot be read.

}  // namespace fe
