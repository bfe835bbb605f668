/** @fe/engine/testing: the engine over a port of the caller's own, such as a simulation. */
export { openEngineWith } from "./engine.ts";
