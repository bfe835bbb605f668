// See nt_windows.h.
#include "nt_windows.h"

namespace fe::nt {
namespace {

template <typename Function>
void Find(HMODULE library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(library, name)));
}

Calls FindAll() {
  // Loaded into every process before any code of it runs, and never unloaded.
  const HMODULE library = GetModuleHandleW(L"ntdll.dll");
  Calls calls;
  Find(library, "NtCreateFile", calls.create_file);
  Find(library, "NtSetInformationFile", calls.set_information);
  Find(library, "NtQueryDirectoryFile", calls.query_directory);
  Find(library, "NtQueryVolumeInformationFile", calls.query_volume);
  Find(library, "NtQuerySystemInformation", calls.query_system);
  Find(library, "RtlNtStatusToDosError", calls.dos_error);
  return calls;
}

}  // namespace

const Calls& Ntdll() {
  static const Calls calls = FindAll();
  return calls;
}

}  // namespace fe::nt
