/** A set with one item more or less. */
export const toggled = <Item>(chosen: ReadonlySet<Item>, item: Item): ReadonlySet<Item> => {
  const next = new Set(chosen);
  if (!next.delete(item)) next.add(item);
  return next;
};
