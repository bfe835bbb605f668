// For the *_windows.cc files: removing a name at once.
#pragma once

#include "open_file_windows.h"

namespace fe {

// Whether the name is one that a removed file has until its last handle is closed.
bool IsNameOfRemoved(std::wstring_view name);

// Gives the open file another name in `directory`, or in that of `root`, never in another's place.
NTSTATUS SetName(HANDLE file, int information_class, HANDLE root, std::wstring_view name);

}  // namespace fe
