// Counts the bytes that are asked for outside of the heap: buffers and typed arrays. What is asked
// for is exact and the same on every machine, while what the process holds depends on when it
// collects garbage. The heap itself has a limit of its own (`--max-old-space-size`).

let allocated = 0;

/** @type {import("./target.mjs").Meter} */
export const meter = { allocatedBytes: () => allocated };

/** Replaces what allocates. To be called before the code under test is loaded. */
export function startMeter() {
  for (const name of /** @type {const} */ (["alloc", "allocUnsafe", "allocUnsafeSlow"])) {
    const original = Buffer[name];
    /** @type {any} */ (Buffer)[name] = (
      /** @type {number} */ size,
      /** @type {any[]} */ ...rest
    ) => {
      allocated += size;
      return /** @type {any} */ (original)(size, ...rest);
    };
  }
  for (const name of ["Uint8Array", "Uint16Array", "Uint32Array", "Float64Array", "ArrayBuffer"]) {
    /** @type {any} */
    const original = /** @type {any} */ (globalThis)[name];
    /** @type {any} */ (globalThis)[name] = new Proxy(original, {
      construct(target, given, newTarget) {
        const [size] = given;
        if (typeof size === "number") allocated += size * (target.BYTES_PER_ELEMENT ?? 1);
        return Reflect.construct(target, given, newTarget);
      },
    });
  }
}
