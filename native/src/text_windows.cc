// Names and paths: UTF-8 outside, UTF-16 towards the system.
//
// Source: "Naming Files, Paths, and Namespaces" of the Windows documentation.
#include "open_file_windows.h"

namespace fe {
namespace {

bool IsRefused(wchar_t character) {
  constexpr std::wstring_view kRefused = L"<>:\"/\\|?*";
  return character < L' ' || kRefused.find(character) != std::wstring_view::npos;
}

}  // namespace

std::optional<std::wstring> ToWide(const std::string& text) {
  if (text.empty()) return std::wstring();
  const int bytes = static_cast<int>(text.size());
  const int length =
      MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, nullptr, 0);
  if (length <= 0) return std::nullopt;
  std::wstring wide(static_cast<size_t>(length), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, wide.data(), length);
  return wide;
}

std::string ToUtf8(std::wstring_view text) {
  if (text.empty()) return std::string();
  const int length = static_cast<int>(text.size());
  const int bytes =
      WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr);
  std::string answer(static_cast<size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), length, answer.data(), bytes, nullptr, nullptr);
  return answer;
}

Result<std::wstring> NameOf(const char* operation, const std::string& name) {
  auto wide = ToWide(name);
  if (!wide) return FoundHere(operation, "EINVAL", "a name is Unicode");
  if (wide->empty() || *wide == L"." || *wide == L"..") {
    return FoundHere(operation, "EINVAL", "a name is not empty, and not \".\" or \"..\"");
  }
  for (const wchar_t character : *wide) {
    if (IsRefused(character)) {
      return FoundHere(operation, "EINVAL", "no file can have such a character in its name");
    }
  }
  // The Win32 layer takes them off, so no other program could open what has such a name.
  if (wide->back() == L'.' || wide->back() == L' ') {
    return FoundHere(operation, "EINVAL", "no name ends with a dot or a space");
  }
  return std::move(*wide);
}

}  // namespace fe
