/**
 * What a record has under a name. Tables, columns and attributes are called what their authors like, `constructor` and
 * `toString` among it, under which every object answers with something that is not its own.
 */
export const own = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined;
