/** Public names of `@fe/native`. */
export type { FileIdentityJson } from "./file-identity.ts";
export { identityFromJson, identityToJson, sameFile } from "./file-identity.ts";
export { addonPath, NativeUnavailableError } from "./load.ts";
export { createNodeOs } from "./node-os.ts";
export type * from "./os.ts";
export { hasCode, OsError, PathRefusedError } from "./os-error.ts";
export { bytesToPath, isUtf8Path, pathToBytes } from "./path-text.ts";
export { sameBoot } from "./same-boot.ts";
export type { PathRefusal, RefusalKind } from "./windows/path-refusal.ts";
export { checkWindowsPath, refusalOf } from "./windows/path-refusal.ts";
export type { PrivacyVerdict, WindowsUser } from "./windows/privacy.ts";
export { isOwnedBy, judgePrivacy } from "./windows/privacy.ts";
export { parseSddl } from "./windows/sddl.ts";
export type { AccessEntry, Problem, SecurityDescriptor } from "./windows/security-descriptor.ts";
export { accessListDigest, decodeSecurityDescriptor } from "./windows/security-descriptor.ts";
export { fromFinalPath, toVerbatim, windowsPaths } from "./windows/windows-paths.ts";
