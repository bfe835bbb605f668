/*
 * A FUSE filesystem of two files that makes the loss of power testable on the running kernel, with
 * no virtual machine and no kernel module:
 *
 *   disk    passes reads and writes to an image, and appends every write and every flush to a log.
 *           A loop device on it carries the filesystem under test.
 *   marks   what is written here is appended to the log as it is, and touches no disk: so a program
 *           says, in order with the writes, what it had reached. A mark makes nothing durable.
 *
 *   block-log IMAGE LOG MOUNTPOINT      runs in the foreground until it is unmounted
 *
 * The log: per entry four little-endian u64 (kind, offset, length, 0), then `length` bytes.
 * Kinds: 1 write, 2 flush (length 0), 3 mark. A write is logged after it was made; one thread
 * answers all requests, so the order in the log is the order in which they ended.
 *
 * Limits: the loop device offers no FUA, so the kernel flushes instead; a discard is refused.
 */
#define FUSE_USE_VERSION 35
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { kWrite = 1, kFlush = 2, kMark = 3 };

static const char kDisk[] = "/disk";
static const char kMarks[] = "/marks";
static const off_t kSectorBytes = 512;

static int image_fd = -1;
static int log_fd = -1;
static off_t image_bytes;

/* Appends one entry; 0 or a negative errno. An entry cut short would make the rest useless. */
static int Log(enum kind kind, off_t offset, const char* bytes, size_t length) {
  uint64_t head[4] = {kind, (uint64_t)offset, length, 0};
  struct iovec parts[2] = {{head, sizeof head}, {(void*)bytes, length}};
  ssize_t count = writev(log_fd, parts, 2);
  if (count < 0) return -errno;
  return (size_t)count == sizeof head + length ? 0 : -EIO;
}

static int Attributes(const char* path, struct stat* status, struct fuse_file_info* file) {
  (void)file;
  memset(status, 0, sizeof *status);
  if (strcmp(path, "/") == 0) {
    status->st_mode = S_IFDIR | 0755;
    status->st_nlink = 2;
    return 0;
  }
  bool is_disk = strcmp(path, kDisk) == 0;
  if (!is_disk && strcmp(path, kMarks) != 0) return -ENOENT;
  status->st_mode = S_IFREG | 0600;
  status->st_nlink = 1;
  status->st_size = is_disk ? image_bytes : 0;
  status->st_blocks = status->st_size / kSectorBytes;
  status->st_blksize = 4096;
  return 0;
}

static int Open(const char* path, struct fuse_file_info* file) {
  if (strcmp(path, kDisk) != 0 && strcmp(path, kMarks) != 0) return -ENOENT;
  // Nothing may be held back between the loop device and the log.
  file->direct_io = 1;
  return 0;
}

static int Read(const char* path, char* bytes, size_t length, off_t offset,
                struct fuse_file_info* file) {
  (void)file;
  if (strcmp(path, kDisk) != 0) return 0;
  ssize_t count = pread(image_fd, bytes, length, offset);
  return count < 0 ? -errno : (int)count;
}

static int Write(const char* path, const char* bytes, size_t length, off_t offset,
                 struct fuse_file_info* file) {
  (void)file;
  if (strcmp(path, kMarks) == 0) {
    int error = Log(kMark, 0, bytes, length);
    return error < 0 ? error : (int)length;
  }
  if (offset % kSectorBytes != 0 || length % (size_t)kSectorBytes != 0) return -EINVAL;
  ssize_t count = pwrite(image_fd, bytes, length, offset);
  if (count < 0) return -errno;
  if ((size_t)count != length) return -EIO;
  int error = Log(kWrite, offset, bytes, length);
  return error < 0 ? error : (int)length;
}

static int Sync(const char* path, int only_data, struct fuse_file_info* file) {
  (void)path;
  (void)only_data;
  (void)file;
  return Log(kFlush, 0, NULL, 0);
}

static int Truncate(const char* path, off_t length, struct fuse_file_info* file) {
  (void)length;
  (void)file;
  // Whoever opens the marks may ask for an empty file, which they are.
  return strcmp(path, kMarks) == 0 ? 0 : -EPERM;
}

static void* Init(struct fuse_conn_info* connection, struct fuse_config* config) {
  (void)connection;
  config->kernel_cache = 0;
  config->auto_cache = 0;
  return NULL;
}

static const struct fuse_operations kOperations = {
    .getattr = Attributes,
    .open = Open,
    .read = Read,
    .write = Write,
    .fsync = Sync,
    .truncate = Truncate,
    .init = Init,
};

int main(int count, char** values) {
  if (count != 4) {
    fprintf(stderr, "block-log IMAGE LOG MOUNTPOINT\n");
    return 2;
  }
  image_fd = open(values[1], O_RDWR | O_CLOEXEC);
  log_fd = open(values[2], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  struct stat status;
  if (image_fd < 0 || log_fd < 0 || fstat(image_fd, &status) != 0) {
    perror(values[image_fd < 0 ? 1 : 2]);
    return 1;
  }
  image_bytes = status.st_size;
  // -s: one thread, so that the log has one order. -f: whoever started it waits for its end.
  char* arguments[] = {values[0], values[3], "-s", "-f", NULL};
  return fuse_main(4, arguments, &kOperations, NULL);
}
