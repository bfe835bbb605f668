// The status of a file as JavaScript values: numbers in an array of 64-bit words that the caller
// lends, texts as the answer.
//
// An object with a member for each would be plainer, but making it took longer than all the system
// calls behind it, and one edit asks some ten times. lib/status.ts reads the words by the same
// places.
#pragma once

#include <napi.h>

#include "os.h"

namespace fe {

// Places in the words. Those from kVolumeLow on are of a whole status only.
enum StatusWord : size_t {
  kKind,
  kDevice,
  kFile,
  kSizeBytes,
  kLinkCount,
  kMode,
  kModifiedNs,
  kFileHigh,
  kVolumeLow,
  kVolumeHigh,
  kFilesystemClass,
  kHasBirthTime,
  kBirthTimeNs,
  kHasGeneration,
  kGeneration,
  kStatusWords,
};

// A BigUint64Array of at least kStatusWords. Valid until JavaScript runs again.
uint64_t* WordsArgument(const Napi::CallbackInfo& info, size_t index);

// Fills the words. Answers the owner, or a Buffer with the security descriptor where there is one.
Napi::Value EntryToJs(Napi::Env env, const EntryStatus& entry, uint64_t* words);

// Fills the words. Answers [owner as above, group, handle ("" = none), filesystem type], and, only
// if there is an access list or are capabilities, two more: [name, Buffer][] and Buffer | null.
Napi::Array StatusToJs(Napi::Env env, const FileStatus& status, uint64_t* words);

}  // namespace fe
