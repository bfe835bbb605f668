// Whether a process exists, and when it started.
//
// Sources: OpenProcess, GetProcessTimes of the Windows documentation.
#include "open_file_windows.h"

namespace fe {
namespace {

std::optional<uint64_t> StartTimeOf(HANDLE process) {
  FILETIME created{};
  FILETIME ended{};
  FILETIME kernel{};
  FILETIME user{};
  if (!GetProcessTimes(process, &created, &ended, &kernel, &user)) return std::nullopt;
  return uint64_t{created.dwHighDateTime} << 32 | created.dwLowDateTime;
}

ProcessAnswer AnswerOfFailure(DWORD number) {
  switch (number) {
    // There is no process of that number.
    case ERROR_INVALID_PARAMETER:
      return ProcessAnswer::kAbsent;
    case ERROR_ACCESS_DENIED:
      return ProcessAnswer::kDenied;
    default:
      return ProcessAnswer::kUnclear;
  }
}

}  // namespace

std::optional<uint64_t> OwnStartTime() { return StartTimeOf(GetCurrentProcess()); }

ProcessProbe ProbeProcess(int64_t pid) {
  ProcessProbe probe;
  if (pid < 1 || pid > INT64_C(0xffffffff)) return probe;
  const DWORD access = PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE;
  const HANDLE opened = OpenProcess(access, FALSE, static_cast<DWORD>(pid));
  if (opened == nullptr) {
    probe.answer = AnswerOfFailure(GetLastError());
    return probe;
  }
  const Handle process(opened);
  // The lowest two bits of a number are not looked at by the system.
  if (GetProcessId(process.value()) != static_cast<DWORD>(pid)) {
    probe.answer = ProcessAnswer::kAbsent;
    return probe;
  }
  // One that has ended is kept as long as somebody holds a handle of it.
  const bool has_ended = WaitForSingleObject(process.value(), 0) == WAIT_OBJECT_0;
  probe.answer = has_ended ? ProcessAnswer::kAbsent : ProcessAnswer::kExists;
  if (!has_ended) probe.start_time = StartTimeOf(process.value());
  return probe;
}

}  // namespace fe
