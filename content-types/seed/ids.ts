/** What a seed has made, by file name or slug: to ask for what is not there is a slip of the seed. */
export type Ids<Id> = (name: string) => Id;

export const idsIn =
  <Id>(made: ReadonlyMap<string, Id>): Ids<Id> =>
  (name) => {
    const id = made.get(name);
    if (id === undefined) throw new Error(`${name} has not been made`);
    return id;
  };

/** Makes one item after the other. */
export const makeAll = async <Item, Id>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  make: (item: Item) => Promise<Id>,
): Promise<Ids<Id>> => {
  const made = new Map<string, Id>();
  for (const item of items) made.set(nameOf(item), await make(item));
  return idsIn(made);
};
