/** The JSON objects of `fe identity` and `fe doctor`; 64-bit numbers as decimal strings. */
import type { FilesystemFacts, PermissionIdentity, ProcessIdentity } from "@fe/native";
import { identityToJson, type JsonObject, pathMember, withoutUndefined } from "../json.ts";
import type { Examination } from "./examine.ts";
import type { ExclusionReport } from "./exclusion.ts";
import type { IdentityReport } from "./identify.ts";
import type { Refusal } from "./refusals.ts";
import type { StoreReport } from "./store-report.ts";

/** What a file is. */
export function identityReportToJson(report: IdentityReport): JsonObject {
  const { identity, parent } = report;
  return {
    ...pathMember("file_path", "path_base64", report.path),
    ...pathMember("real_path", "real_path_base64", report.realPath),
    kind: report.kind,
    bytes: report.sizeBytes,
    links: report.linkCount,
    identity: withoutUndefined({
      ...identityToJson(identity),
      handle: identity.handle,
      device: identity.device.toString(),
    }),
    parent: identityToJson(parent),
    permission: permissionToJson(report.permission),
    filesystem: filesystemToJson(report.filesystem),
  };
}

function permissionToJson(permission: PermissionIdentity): JsonObject {
  return {
    mode: permission.mode.toString(8).padStart(4, "0"),
    owner: permission.owner,
    group: permission.group,
    access_list_sha256: permission.accessList,
    capabilities_sha256: permission.capabilities,
  };
}

function filesystemToJson({ type, class: kind }: FilesystemFacts): JsonObject {
  return { type, class: kind };
}

function processToJson(self: ProcessIdentity): JsonObject {
  return withoutUndefined({
    pid: self.pid,
    start_time: self.startTime?.toString(),
    boot_id: self.bootId,
    boot_time_ms: self.bootTimeMs,
    pid_namespace: self.pidNamespace?.toString(),
    host_id: self.hostId,
  });
}

function storeToJson(store: StoreReport): JsonObject {
  return withoutUndefined({
    ...pathMember("path", "path_base64", store.path),
    state: store.state,
    why: store.why,
    filesystem: store.filesystem && filesystemToJson(store.filesystem),
    locks: store.locks,
    unnamed_files: store.unnamedFiles,
    place: store.place && placeToJson(store.place),
    directory_sync: store.directorySync,
    records: store.records,
  });
}

function placeToJson(place: NonNullable<StoreReport["place"]>): JsonObject {
  return {
    ...pathMember("path", "path_base64", place.path),
    owner: place.owner,
    mode: place.mode.toString(8).padStart(4, "0"),
    filesystem: filesystemToJson(place.filesystem),
  };
}

function refusalToJson({ code, why, hint, recordId }: Refusal): JsonObject {
  return withoutUndefined({ code, why, hint, record_id: recordId });
}

function exclusionToJson({ offers, othersWaitMs, reason, why }: ExclusionReport): JsonObject {
  return withoutUndefined({ offers, others_wait_ms: othersWaitMs, reason, why });
}

/** What the system can do. */
export function examinationToJson(examination: Examination): JsonObject {
  const { target, exclusion } = examination;
  return withoutUndefined({
    engine_version: examination.engineVersion,
    ...pathMember("addon_path", "addon_path_base64", examination.addonPath),
    process: processToJson(examination.process),
    store: storeToJson(examination.store),
    target: target && identityReportToJson(target),
    exclusion: exclusion && exclusionToJson(exclusion),
    refusals: target && examination.refusals.map(refusalToJson),
    advice: examination.advice,
  });
}
