// What kind of filesystem a handle is on.
//
// Source: NtQueryVolumeInformationFile in the Windows Driver Kit (FILE_FS_DEVICE_INFORMATION,
// FILE_FS_ATTRIBUTE_INFORMATION).
#include "open_file_windows.h"
// Only after windows.h.
#include <winioctl.h>

#include <cwctype>

namespace fe {
namespace {

std::string TypeOf(HANDLE handle) {
  alignas(nt::VolumeAttribute) unsigned char room[sizeof(nt::VolumeAttribute) + 512];
  IO_STATUS_BLOCK status{};
  if (!nt::Succeeded(nt::Ntdll().query_volume(handle, &status, room, sizeof room,
                                              nt::kVolumeAttribute))) {
    return "unknown";
  }
  const auto* answer = reinterpret_cast<const nt::VolumeAttribute*>(room);
  std::wstring name(answer->name, answer->name_bytes / sizeof(wchar_t));
  for (wchar_t& character : name) character = static_cast<wchar_t>(std::towlower(character));
  return ToUtf8(name);
}

// What is no disk has no content to edit: a pipe, a console, a mailslot.
FilesystemClass ClassOf(HANDLE handle) {
  nt::VolumeDevice device{};
  IO_STATUS_BLOCK status{};
  if (!nt::Succeeded(nt::Ntdll().query_volume(handle, &status, &device, sizeof device,
                                              nt::kVolumeDevice))) {
    // Of what cannot be told, as little is promised as of a network.
    return FilesystemClass::kNetwork;
  }
  if ((device.characteristics & nt::kRemoteDevice) != 0) return FilesystemClass::kNetwork;
  switch (device.device_type) {
    case FILE_DEVICE_DISK:
    case FILE_DEVICE_DISK_FILE_SYSTEM:
    case FILE_DEVICE_CD_ROM:
    case FILE_DEVICE_DVD:
    case FILE_DEVICE_VIRTUAL_DISK:
      return FilesystemClass::kLocal;
    case FILE_DEVICE_NETWORK:
    case FILE_DEVICE_NETWORK_FILE_SYSTEM:
      return FilesystemClass::kNetwork;
    default:
      return FilesystemClass::kPseudo;
  }
}

}  // namespace

FilesystemFacts FilesystemOf(HANDLE handle) { return {TypeOf(handle), ClassOf(handle)}; }

}  // namespace fe
