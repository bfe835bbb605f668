// Node's functions for an addon on Windows that is linked here.
//
// A program there names the file from which it takes each function. Node's own are in the program
// itself, which is `node.exe`, but in Electron, or in a copy of node.exe, has another name. So
// nothing is imported: each function is a jump to the address that the running program gives for
// its name, looked up when the addon is loaded. node-gyp does the same with its delay-load hook,
// which needs Microsoft's linker; like there, a `node.dll` comes before the program.

/**
 * @param {readonly string[]} definitions the `.def` files of node-api-headers
 * @returns {string} C
 */
export function hostFunctionsSource(definitions) {
  const names = [...new Set(definitions.flatMap((text) => text.match(/^(?:napi|node)_\w+/gmu)))];
  const jumps = names.map(
    (name, i) =>
      `__asm__(".globl ${name}\\n${name}:\\n  jmpq *fe_host_functions+${8 * i}(%rip)\\n");`,
  );
  return [
    "#include <stdlib.h>",
    "#include <windows.h>",
    `FARPROC fe_host_functions[${names.length}];`,
    "static const char *const names[] = {",
    ...names.map((name) => `  "${name}",`),
    "};",
    // Only what is newer than the version that the addon asks for can be missing.
    "static void missing(void) { abort(); }",
    "__attribute__((constructor)) static void find(void) {",
    '  HMODULE host = GetModuleHandleW(L"node.dll");',
    "  if (host == NULL) host = GetModuleHandleW(NULL);",
    `  for (int i = 0; i < ${names.length}; ++i) {`,
    "    FARPROC found = GetProcAddress(host, names[i]);",
    "    fe_host_functions[i] = found != NULL ? found : (FARPROC)missing;",
    "  }",
    "}",
    ...jumps,
    "",
  ].join("\n");
}
