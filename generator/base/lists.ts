/** Lists by a key. */

/** Adds a value to the list of its key. */
export const append = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
};

/** Groups values by a key, in order of the first occurrence of each key. */
export const groupBy = <Value, Key>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly Value[]> => {
  const lists = new Map<Key, Value[]>();
  for (const value of values) append(lists, keyOf(value), value);
  return lists;
};
