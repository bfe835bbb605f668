// Checked arguments of a call from JavaScript. A wrong type is a TypeError: only lib/ calls, so
// that is a defect there, while what a user can cause (a bad name) is answered by the system layer
// as EINVAL.
#pragma once

#include <napi.h>

#include <string>
#include <vector>

#include "os.h"

namespace fe {

// Bytes of a Buffer, as they are.
std::string BytesArgument(const Napi::CallbackInfo& info, size_t index);
// The bytes of each Buffer of an array.
std::vector<std::string> NamesArgument(const Napi::CallbackInfo& info, size_t index);
// An integer from 0 to 07777.
uint32_t ModeArgument(const Napi::CallbackInfo& info, size_t index);
// An integer from 0 to 2^53.
uint64_t PositionArgument(const Napi::CallbackInfo& info, size_t index);
// Any integer that a number holds exactly.
int64_t IntegerArgument(const Napi::CallbackInfo& info, size_t index);
bool BooleanArgument(const Napi::CallbackInfo& info, size_t index);

}  // namespace fe
