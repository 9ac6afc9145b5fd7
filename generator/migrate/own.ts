/**
 * Looks up a record's own property. Authors name tables, columns and attributes as they like, for example `constructor`
 * and `toString`, for which every object has an inherited value.
 */
export const own = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined;
