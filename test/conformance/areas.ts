/** The areas of the corpus that pass; the others are not replayed yet. */
export const areas: readonly string[] = [];
