/** A list of attributes that may be read and written, as callers have it. */
export const listOf = (...names: readonly string[]) => ({ read: new Set(names), write: new Set(names) });
