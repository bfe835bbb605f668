// Tests that fail under qemu-user because it is not as the kernel, by a part of their title.

/** @type {Readonly<Record<string, string>>} */
export const unfaithful = {};
