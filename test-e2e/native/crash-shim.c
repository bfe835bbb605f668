/*
 * A library for LD_PRELOAD that counts every call of libc which changes a file, over all threads,
 * and makes one of them the last, a short or a failing one.
 *
 *   FE_SHIM_ROOT   only calls on files below this real path count, so that what Node does for
 *                  itself does not move the numbers
 *   FE_SHIM_LOG    one line per counted call is appended: number, name, path; `fired` after the one
 *                  that was made to fail
 *   FE_SHIM_PLAN   kill-before:N    SIGKILL instead of call N
 *                  kill-within:N    SIGKILL when half of write N was made
 *                  kill-after:N     SIGKILL after call N
 *                  short:N:BYTES    write N writes BYTES bytes at most, and says so
 *                  error:N:ERRNO    call N is not made and fails
 *                  (unset)          only count
 *
 * Fault model: the process dies between two calls, or in one; what it had written is in the page
 * cache. What calls the kernel without libc is not seen (io_uring, a static binary); calls through
 * syscall(3) are seen, for renameat2 and openat2. A trace with strace shows whether any is missed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { kCount, kKillBefore, kKillWithin, kKillAfter, kShort, kError };

enum { kPathBytes = 4096, kLineBytes = kPathBytes + 64 };

static enum mode mode;
static long chosen;
static long argument;
static char root[kPathBytes];
static int log_fd = -1;
static atomic_long calls;

/* The function of libc that a name would mean without this library. */
#define REAL(name)                                            \
  static __typeof__(name)* real;                              \
  if (real == NULL) {                                         \
    real = (__typeof__(name)*)dlsym(RTLD_NEXT, #name);        \
    if (real == NULL) abort();                                \
  }

__attribute__((constructor)) static void Start(void) {
  static const struct {
    const char* name;
    enum mode mode;
  } modes[] = {{"kill-before:", kKillBefore}, {"kill-within:", kKillWithin},
               {"kill-after:", kKillAfter},   {"short:", kShort},
               {"error:", kError}};
  const char* log = getenv("FE_SHIM_LOG");
  const char* place = getenv("FE_SHIM_ROOT");
  const char* plan = getenv("FE_SHIM_PLAN");
  if (log == NULL || place == NULL) return;
  snprintf(root, sizeof root, "%s", place);
  for (size_t i = 0; plan != NULL && i < sizeof modes / sizeof modes[0]; i++) {
    size_t length = strlen(modes[i].name);
    if (strncmp(plan, modes[i].name, length) != 0) continue;
    char* end;
    mode = modes[i].mode;
    chosen = strtol(plan + length, &end, 10);
    if (*end == ':') argument = strtol(end + 1, NULL, 10);
  }
  log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log_fd < 0) abort();
}

/* One line, in one write. The call of libc is ours, but the log lies outside of the root. */
static void Log(const char* line) {
  if (write(log_fd, line, strlen(line)) < 0) abort();
}

static void Die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* `/proc/self/fd/N` is the way of an unprivileged process to what a handle means. */
static bool ReadLink(const char* link, char* path) {
  ssize_t length = readlink(link, path, kPathBytes - 1);
  if (length < 0) return false;
  path[length] = '\0';
  return true;
}

static bool PathOfFd(int fd, char* path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  return ReadLink(link, path);
}

static bool PathAt(int directory, const char* name, char* path) {
  if (strncmp(name, "/proc/self/fd/", 14) == 0) return ReadLink(name, path);
  if (name[0] == '/') return snprintf(path, kPathBytes, "%s", name) < kPathBytes;
  char start[kPathBytes];
  bool found = directory == AT_FDCWD ? getcwd(start, sizeof start) != NULL
                                     : PathOfFd(directory, start);
  return found && snprintf(path, kPathBytes, "%s/%s", start, name) < kPathBytes;
}

/* What becomes of a call. */
struct step {
  bool isChosen;
  bool fails;
};

/* Before a call: counts it, and says whether it is to fail. errno is kept, or set if it fails. */
static struct step Begin(const char* name, bool isKnown, const char* path) {
  int error = errno;
  struct step step = {false, false};
  size_t length = strlen(root);
  bool counts = log_fd >= 0 && isKnown && length > 0 && strncmp(path, root, length) == 0 &&
                (path[length] == '/' || path[length] == '\0');
  if (counts) {
    long number = atomic_fetch_add(&calls, 1) + 1;
    char line[kLineBytes];
    snprintf(line, sizeof line, "%ld %s %s\n", number, name, path);
    Log(line);
    step.isChosen = mode != kCount && number == chosen;
    if (step.isChosen) Log("fired\n");
    if (step.isChosen && mode == kKillBefore) Die();
    step.fails = step.isChosen && mode == kError;
  }
  errno = step.fails ? (int)argument : error;
  return step;
}

static struct step BeginFd(const char* name, int fd) {
  char path[kPathBytes];
  return Begin(name, log_fd >= 0 && PathOfFd(fd, path), path);
}

static struct step BeginAt(const char* name, int directory, const char* entry) {
  char path[kPathBytes];
  return Begin(name, log_fd >= 0 && PathAt(directory, entry, path), path);
}

static void End(struct step step) {
  if (step.isChosen && mode == kKillAfter) Die();
}

/* How much of a write is made. */
static size_t Part(struct step step, size_t count) {
  if (!step.isChosen) return count;
  if (mode == kKillWithin) return count / 2;
  if (mode == kShort && (size_t)argument < count) return (size_t)argument;
  return count;
}

static void EndWrite(struct step step) {
  if (step.isChosen && mode == kKillWithin) Die();
  End(step);
}

/* A call that is made or not, and answers -1 if it fails. */
#define CALL(begin, call)            \
  struct step step = begin;          \
  if (step.fails) return -1;         \
  __typeof__(call) answer = call;    \
  End(step);                         \
  return answer

#define WRITE(begin, count, call)           \
  struct step step = begin;                 \
  if (step.fails) return -1;                \
  size_t part = Part(step, count);          \
  ssize_t answer = call;                    \
  EndWrite(step);                           \
  return answer

ssize_t write(int fd, const void* bytes, size_t count) {
  REAL(write);
  if (fd == log_fd) return real(fd, bytes, count);
  WRITE(BeginFd("write", fd), count, real(fd, bytes, part));
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  REAL(pwrite);
  WRITE(BeginFd("pwrite", fd), count, real(fd, bytes, part, offset));
}

/* A function that is made or not, and answers -1 if it fails. */
#define WRAP(type, name, begin, parameters, arguments) \
  type name parameters {                               \
    REAL(name);                                        \
    CALL(begin, real arguments);                       \
  }

/* Nobody here writes in parts from several buffers; a short one would need a copy of the list. */
WRAP(ssize_t, writev, BeginFd("writev", fd), (int fd, const struct iovec* parts, int count),
     (fd, parts, count))
WRAP(ssize_t, pwritev, BeginFd("pwritev", fd),
     (int fd, const struct iovec* parts, int count, off_t offset), (fd, parts, count, offset))
WRAP(ssize_t, copy_file_range, BeginFd("copy_file_range", out),
     (int in, off64_t* inOffset, int out, off64_t* outOffset, size_t length, unsigned flags),
     (in, inOffset, out, outOffset, length, flags))
WRAP(int, ftruncate, BeginFd("ftruncate", fd), (int fd, off_t length), (fd, length))
WRAP(int, fallocate, BeginFd("fallocate", fd), (int fd, int kind, off_t offset, off_t length),
     (fd, kind, offset, length))
WRAP(int, fsync, BeginFd("fsync", fd), (int fd), (fd))
WRAP(int, fdatasync, BeginFd("fdatasync", fd), (int fd), (fd))
WRAP(int, fchmod, BeginFd("fchmod", fd), (int fd, mode_t bits), (fd, bits))
WRAP(int, flock, BeginFd("flock", fd), (int fd, int operation), (fd, operation))
WRAP(int, chmod, BeginAt("chmod", AT_FDCWD, path), (const char* path, mode_t bits), (path, bits))
WRAP(int, link, BeginAt("link", AT_FDCWD, to), (const char* from, const char* to), (from, to))
WRAP(int, linkat, BeginAt("linkat", toDirectory, to),
     (int fromDirectory, const char* from, int toDirectory, const char* to, int flags),
     (fromDirectory, from, toDirectory, to, flags))
WRAP(int, rename, BeginAt("rename", AT_FDCWD, to), (const char* from, const char* to), (from, to))
WRAP(int, renameat, BeginAt("renameat", toDirectory, to),
     (int fromDirectory, const char* from, int toDirectory, const char* to),
     (fromDirectory, from, toDirectory, to))
WRAP(int, renameat2, BeginAt("renameat2", toDirectory, to),
     (int fromDirectory, const char* from, int toDirectory, const char* to, unsigned flags),
     (fromDirectory, from, toDirectory, to, flags))
WRAP(int, unlink, BeginAt("unlink", AT_FDCWD, path), (const char* path), (path))
WRAP(int, unlinkat, BeginAt("unlinkat", directory, name),
     (int directory, const char* name, int flags), (directory, name, flags))
WRAP(int, rmdir, BeginAt("rmdir", AT_FDCWD, path), (const char* path), (path))
WRAP(int, mkdir, BeginAt("mkdir", AT_FDCWD, path), (const char* path, mode_t bits), (path, bits))
WRAP(int, mkdirat, BeginAt("mkdirat", directory, name),
     (int directory, const char* name, mode_t bits), (directory, name, bits))

/* Whether an open makes or empties a file. O_TMPFILE contains O_DIRECTORY. */
static bool Changes(int flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

/* The argument after `last`, which is there only if the open makes a file. */
#define OPEN(directory, path, last, call)                         \
  mode_t bits = 0;                                                \
  if (!Changes(flags)) return call;                               \
  va_list list;                                                   \
  va_start(list, last);                                           \
  bits = va_arg(list, mode_t);                                    \
  va_end(list);                                                   \
  CALL(BeginAt("openat", directory, path), call)

int open(const char* path, int flags, ...) {
  REAL(open);
  OPEN(AT_FDCWD, path, flags, real(path, flags, bits));
}

int openat(int directory, const char* path, int flags, ...) {
  REAL(openat);
  OPEN(directory, path, flags, real(directory, path, flags, bits));
}

/* Where off_t has 64 bits, these are second names of the same functions. */
_Static_assert(sizeof(off_t) == sizeof(off64_t), "a system with 64-bit off_t");
#define SAME_AS(name) __attribute__((alias(#name), copy(name)))
SAME_AS(pwrite) ssize_t pwrite64(int fd, const void* bytes, size_t count, off64_t offset);
SAME_AS(pwritev) ssize_t pwritev64(int fd, const struct iovec* parts, int count, off64_t offset);
SAME_AS(ftruncate) int ftruncate64(int fd, off64_t length);
SAME_AS(fallocate) int fallocate64(int fd, int kind, off64_t offset, off64_t length);
SAME_AS(open) int open64(const char* path, int flags, ...);
SAME_AS(openat) int openat64(int directory, const char* path, int flags, ...);

/* The addon asks for renameat2 and openat2 by number, since libc may lack them. */
long syscall(long number, ...) {
  REAL(syscall);
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2) {
    CALL(BeginAt("renameat2", (int)a[2], (const char*)a[3]),
         real(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  }
  if (number == SYS_openat2 && Changes((int)((const struct open_how*)a[2])->flags)) {
    CALL(BeginAt("openat2", (int)a[0], (const char*)a[1]),
         real(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  }
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
