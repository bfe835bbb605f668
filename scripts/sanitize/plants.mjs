// Faults that are planted in the C++ of a copy, to show that the run would report such a one.

/**
 * @typedef {object} Plant
 * @property {string} name
 * @property {string} file in native/
 * @property {string} find stands once in it
 * @property {string} replace
 * @property {string} says part of the first line of the report
 */

/** @type {readonly Plant[]} */
export const plants = [
  {
    name: "the length of the words is not looked at",
    file: "src/js_status.cc",
    find: "if (words.ElementLength() >= kStatusWords) return words.Data();",
    replace: "if (words.ElementLength() >= 1) return words.Data();",
    says: "heap-buffer-overflow",
  },
  {
    name: "a handle is used after it was given back",
    file: "src/js_descriptors.h",
    find: "    Descriptor taken = std::move(found->second);\n    open_.erase(found);\n",
    replace:
      "    auto& lost = found->second;\n    open_.erase(found);\n" +
      "    Descriptor taken = std::move(lost);\n",
    says: "heap-use-after-free",
  },
  {
    name: "a number is multiplied without a bound",
    file: "src/js_args.cc",
    find: "  return static_cast<int64_t>(number);\n",
    // Not `/ 4096`: GCC takes that for the number itself, and multiplies nothing.
    replace:
      "  const int64_t bytes = static_cast<int64_t>(number) * 4096;\n  return bytes >> 12;\n",
    says: "signed integer overflow",
  },
  {
    name: "a list of names is never given back",
    file: "src/js_result.cc",
    find: "  for (uint32_t i = 0; i < names.size(); ++i) array",
    replace:
      "  new std::vector<std::string>(names);\n  for (uint32_t i = 0; i < names.size(); ++i) array",
    says: "detected memory leaks",
  },
];
