/**
 * Memoizes a function per object, and forgets a result together with its object. For results derived from descriptors,
 * which never change.
 */
export const remembering = <Key extends object, Result>(compute: (key: Key) => Result): ((key: Key) => Result) => {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    let found = known.get(key);
    if (!found) known.set(key, (found = { result: compute(key) }));
    return found.result;
  };
};
