// Access lists: as bytes for the judge in lib/windows/, and one that keeps everybody else out.
//
// Sources: GetKernelObjectSecurity, GetTokenInformation and "Security Descriptor String Format" of
// the Windows documentation.
#include "open_file_windows.h"
// Only after windows.h.
#include <sddl.h>

#include <algorithm>

namespace fe {
namespace {

constexpr SECURITY_INFORMATION kAsked =
    OWNER_SECURITY_INFORMATION | GROUP_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;

// TOKEN_USER with room for the longest SID.
struct UserOfToken {
  TOKEN_USER user;
  unsigned char room[SECURITY_MAX_SID_SIZE];
};

// Empty = cannot be read.
std::string UserOfProcess() {
  HANDLE opened = INVALID_HANDLE_VALUE;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &opened)) return std::string();
  const Handle token(opened);
  UserOfToken answer{};
  DWORD bytes = 0;
  if (!GetTokenInformation(token.value(), TokenUser, &answer, sizeof answer, &bytes)) {
    return std::string();
  }
  wchar_t* text = nullptr;
  if (!ConvertSidToStringSidW(answer.user.User.Sid, &text)) return std::string();
  std::string sid = ToUtf8(text);
  LocalFree(text);
  return sid;
}

}  // namespace

Result<std::string> SecurityOf(HANDLE handle) {
  // Most have less than 300 bytes.
  std::string bytes(1024, '\0');
  DWORD needed = 0;
  while (!GetKernelObjectSecurity(handle, kAsked, bytes.data(), static_cast<DWORD>(bytes.size()),
                                  &needed)) {
    if (GetLastError() != ERROR_INSUFFICIENT_BUFFER || needed <= bytes.size()) {
      return LastError("GetKernelObjectSecurity");
    }
    bytes.resize(needed);
  }
  const DWORD length = GetSecurityDescriptorLength(bytes.data());
  bytes.resize(std::min<size_t>(length, bytes.size()));
  return bytes;
}

std::string EffectiveOwner() {
  // A process keeps its user.
  static const std::string user = UserOfProcess();
  return user;
}

Result<PrivateSecurity> PrivateSecurity::Make(const char* operation, uint32_t mode,
                                              bool is_directory) {
  if ((mode & 077) != 0) {
    return FoundHere(operation, "EINVAL", "only what is private to its user is made here");
  }
  const std::string user = EffectiveOwner();
  if (user.empty()) return LastError("GetTokenInformation");
  // With its owner: an administrator's files would else belong to the group of administrators.
  // What is inherited would be added to the list if it were not protected.
  const std::string rights = is_directory ? "(A;OICI;FA;;;" : "(A;;FA;;;";
  const std::string text =
      "O:" + user + "D:P" + rights + user + ")" + rights + "SY)" + rights + "BA)";
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(
          ToWide(text)->c_str(), SDDL_REVISION_1, &descriptor, nullptr)) {
    return LastError("ConvertStringSecurityDescriptorToSecurityDescriptorW");
  }
  return PrivateSecurity(descriptor);
}

PrivateSecurity::~PrivateSecurity() {
  if (descriptor_ != nullptr) LocalFree(descriptor_);
}

}  // namespace fe
