/** @fe/native/testing: ports for tests. */
export { type InterceptedCall, interceptOs, type Watcher } from "./intercept-os.ts";
