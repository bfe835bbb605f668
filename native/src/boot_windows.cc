// This start of the machine, and the installation.
//
// Windows has no boot id that is promised. The loader counts starts in `BootId` of the registry;
// where the count is missing the time of the boot has to do.
//
// Sources: NtQuerySystemInformation (SystemTimeOfDayInformation), RegGetValueW of the Windows
// documentation; the meaning of `BootId` is that of KUSER_SHARED_DATA in the Windows Driver Kit.
#include <cmath>
#include <cstring>

#include "open_file_windows.h"

namespace fe {
namespace {

constexpr wchar_t kBootKey[] =
    L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters";
constexpr wchar_t kMachineKey[] = L"SOFTWARE\\Microsoft\\Cryptography";
// 1970 in 100 ns since 1601.
constexpr double kUnixEpoch = 116444736000000000.0;

std::string BootId() {
  DWORD count = 0;
  DWORD bytes = sizeof count;
  if (RegGetValueW(HKEY_LOCAL_MACHINE, kBootKey, L"BootId", RRF_RT_REG_DWORD, nullptr, &count,
                   &bytes) != ERROR_SUCCESS) {
    return std::string();
  }
  return "start-" + std::to_string(count);
}

std::string MachineId() {
  wchar_t text[64];
  DWORD bytes = sizeof text;
  // The 64-bit view, so that a 32-bit process sees the same.
  if (RegGetValueW(HKEY_LOCAL_MACHINE, kMachineKey, L"MachineGuid",
                   RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY, nullptr, text,
                   &bytes) != ERROR_SUCCESS) {
    return std::string();
  }
  return ToUtf8(text);
}

}  // namespace

BootFacts ReadBootFacts() {
  BootFacts facts;
  facts.boot_id = BootId();
  facts.machine_id = MachineId();
  return facts;
}

double BootTimeMs() {
  nt::TimeOfDay times{};
  ULONG answered = 0;
  // Older systems answer with less than there is room for, never with less than these two.
  unsigned char room[64] = {};
  if (!nt::Succeeded(nt::Ntdll().query_system(nt::kSystemTimeOfDay, room, 48, &answered)) ||
      answered < sizeof times) {
    FILETIME now{};
    GetSystemTimeAsFileTime(&now);
    times.boot_time.QuadPart = static_cast<LONGLONG>(now.dwHighDateTime) << 32 | now.dwLowDateTime;
    times.boot_time.QuadPart -= static_cast<LONGLONG>(GetTickCount64()) * 10'000;
  } else {
    std::memcpy(&times, room, sizeof times);
  }
  return std::round((static_cast<double>(times.boot_time.QuadPart) - kUnixEpoch) / 1e4);
}

}  // namespace fe
