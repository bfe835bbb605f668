// Filesystems by the name that statfs(2) gives, and by whether it says that they are local.
//
// Names: the plug-ins of macOS in /System/Library/Filesystems, and those of macFUSE and its
// predecessors. One that is not named here is local or not as the system says.
#include <algorithm>
#include <array>
#include <string_view>

#include "identity_darwin.h"

namespace fe {
namespace {

// They say "local" if whoever mounted them asked for that.
constexpr std::array<std::string_view, 4> kFuse{"macfuse", "osxfuse", "osxfusefs", "fuse"};
constexpr std::array<std::string_view, 4> kPseudo{"autofs", "devfs", "fdesc", "nullfs"};

template <size_t count>
bool Has(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

FilesystemClass ClassOf(std::string_view type, bool is_local) {
  if (Has(kPseudo, type)) return FilesystemClass::kPseudo;
  if (Has(kFuse, type)) return FilesystemClass::kFuse;
  return is_local ? FilesystemClass::kLocal : FilesystemClass::kNetwork;
}

}  // namespace

FilesystemFacts FilesystemOf(const struct statfs& facts) {
  const auto end = std::find(std::begin(facts.f_fstypename), std::end(facts.f_fstypename), '\0');
  const std::string type(std::begin(facts.f_fstypename), end);
  return {type, ClassOf(type, (facts.f_flags & MNT_LOCAL) != 0)};
}

}  // namespace fe
