// Filesystems by the number that statfs(2) gives as `f_type`.
//
// Numbers: the kernel's include/uapi/linux/magic.h, and for filesystems outside it the table of GNU
// coreutils, src/stat.c. One that is missing here counts as local and is named by its number.
#include <algorithm>
#include <array>
#include <cstdio>

#include "identity_linux.h"

namespace fe {
namespace {

struct Row {
  uint32_t magic;
  const char* name;
  FilesystemClass filesystem_class;
};

constexpr auto kLocal = FilesystemClass::kLocal;
constexpr auto kNetwork = FilesystemClass::kNetwork;
constexpr auto kFuse = FilesystemClass::kFuse;
constexpr auto kPseudo = FilesystemClass::kPseudo;

constexpr std::array kRows{
    // ext2 and ext3 have the same number.
    Row{0xef53, "ext4", kLocal},
    Row{0x58465342, "xfs", kLocal},
    Row{0x9123683e, "btrfs", kLocal},
    Row{0x01021994, "tmpfs", kLocal},
    Row{0x794c7630, "overlay", kLocal},
    Row{0xf2f52010, "f2fs", kLocal},
    Row{0x2fc12fc1, "zfs", kLocal},
    Row{0xca451a4e, "bcachefs", kLocal},
    Row{0x5346544e, "ntfs", kLocal},
    Row{0x7366746e, "ntfs3", kLocal},
    Row{0x2011bab0, "exfat", kLocal},
    Row{0x4d44, "vfat", kLocal},
    Row{0x858458f6, "ramfs", kLocal},
    Row{0x9660, "iso9660", kLocal},
    Row{0x73717368, "squashfs", kLocal},
    Row{0xe0f5e1e2, "erofs", kLocal},
    Row{0x15013346, "udf", kLocal},
    Row{0x3153464a, "jfs", kLocal},
    Row{0x52654973, "reiserfs", kLocal},
    Row{0x3434, "nilfs", kLocal},
    Row{0x4244, "hfs", kLocal},
    Row{0x482b, "hfsplus", kLocal},
    Row{0x00011954, "ufs", kLocal},
    Row{0xf15f, "ecryptfs", kLocal},
    Row{0x61756673, "aufs", kLocal},
    Row{0x72b6, "jffs2", kLocal},
    Row{0x24051905, "ubifs", kLocal},
    Row{0x28cd3d45, "cramfs", kLocal},
    Row{0x7275, "romfs", kLocal},
    Row{0xadff, "affs", kLocal},
    Row{0x5a4f4653, "zonefs", kLocal},
    Row{0x53464846, "wslfs", kLocal},

    Row{0x6969, "nfs", kNetwork},
    Row{0x517b, "smb", kNetwork},
    Row{0xff534d42, "cifs", kNetwork},
    Row{0xfe534d42, "smb2", kNetwork},
    Row{0x01021997, "9p", kNetwork},
    Row{0x00c36400, "ceph", kNetwork},
    Row{0x5346414f, "afs", kNetwork},
    Row{0x6b414653, "kafs", kNetwork},
    Row{0x73757245, "coda", kNetwork},
    Row{0x564c, "ncp", kNetwork},
    Row{0x7461636f, "ocfs2", kNetwork},
    Row{0x01161970, "gfs2", kNetwork},
    Row{0x0bd00bd0, "lustre", kNetwork},
    Row{0x19830326, "beegfs", kNetwork},
    Row{0x47504653, "gpfs", kNetwork},
    Row{0x20030528, "orangefs", kNetwork},
    Row{0xaad7aaea, "panfs", kNetwork},
    Row{0xbeefdead, "snfs", kNetwork},
    Row{0x61636673, "acfs", kNetwork},
    Row{0x013111a8, "ibrix", kNetwork},
    // Folders of the host in a virtual machine: to a lock they are as far away as a server.
    Row{0x786f4256, "vboxsf", kNetwork},
    Row{0xbacbacbc, "vmhgfs", kNetwork},
    Row{0x7c7c6673, "prl_fs", kNetwork},

    Row{0x65735546, "fuse", kFuse},

    Row{0x9fa0, "proc", kPseudo},
    Row{0x62656572, "sysfs", kPseudo},
    Row{0x0027e0eb, "cgroup", kPseudo},
    Row{0x63677270, "cgroup2", kPseudo},
    Row{0x64626720, "debugfs", kPseudo},
    Row{0x74726163, "tracefs", kPseudo},
    Row{0x1cd1, "devpts", kPseudo},
    Row{0x73636673, "securityfs", kPseudo},
    Row{0xcafe4a11, "bpf", kPseudo},
    Row{0x62656570, "configfs", kPseudo},
    Row{0xde5e81e4, "efivarfs", kPseudo},
    Row{0xf97cff8c, "selinuxfs", kPseudo},
    Row{0x43415d53, "smackfs", kPseudo},
    Row{0x5a3c69f0, "apparmorfs", kPseudo},
    Row{0x6165676c, "pstore", kPseudo},
    Row{0x19800202, "mqueue", kPseudo},
    Row{0x958458f6, "hugetlbfs", kPseudo},
    Row{0x42494e4d, "binfmt_misc", kPseudo},
    Row{0x65735543, "fusectl", kPseudo},
    Row{0x0187, "autofs", kPseudo},
    Row{0x67596969, "rpc_pipefs", kPseudo},
    Row{0x6e667364, "nfsd", kPseudo},
    Row{0xabba1974, "xenfs", kPseudo},
    Row{0x07655821, "resctrl", kPseudo},
    Row{0x9fa1, "openpromfs", kPseudo},
    Row{0x9fa2, "usbdevfs", kPseudo},
    Row{0x6c6f6f70, "binderfs", kPseudo},
    Row{0x6e736673, "nsfs", kPseudo},
    Row{0x50494446, "pidfs", kPseudo},
    Row{0x50495045, "pipefs", kPseudo},
    Row{0x534f434b, "sockfs", kPseudo},
    Row{0x09041934, "anon_inodefs", kPseudo},
    Row{0x5345434d, "secretmem", kPseudo},
    Row{0x444d4142, "dmabuf", kPseudo},
    Row{0x62646576, "bdev", kPseudo},
};

}  // namespace

FilesystemFacts FilesystemByMagic(uint32_t magic) {
  const auto* row =
      std::find_if(kRows.begin(), kRows.end(), [=](const Row& r) { return r.magic == magic; });
  if (row != kRows.end()) return {row->name, row->filesystem_class};
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", magic);
  return {text, kLocal};
}

bool HasPosixAccessListsOnly(uint32_t magic) {
  return magic == 0xef53 || magic == 0x58465342 || magic == 0x9123683e || magic == 0x01021994 ||
         magic == 0xf2f52010;
}

}  // namespace fe
