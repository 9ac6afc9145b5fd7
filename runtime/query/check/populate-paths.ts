/** Dotted populate paths as a tree; names keep the order of their first appearance. */
import type { Owner, RelationMember, Schema } from "../schema.ts";

/** The paths in comma-separated strings. Empty paths, and empty names in paths, are skipped. */
export const pathsOf = (raw: readonly string[]): string[][] =>
  raw
    .flatMap((entry) => entry.split(","))
    .map((path) =>
      path
        .split(".")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    )
    .filter((path) => path.length > 0);

export class PathTree {
  readonly #children = new Map<string, PathTree>();

  constructor(paths: readonly (readonly string[])[] = []) {
    for (const path of paths) this.#add(path);
  }

  #add([name, ...rest]: readonly string[]): void {
    if (name === undefined) return;
    const child = this.#children.get(name) ?? new PathTree();
    this.#children.set(name, child);
    child.#add(rest);
  }

  entries(): [string, PathTree][] {
    return [...this.#children];
  }

  get empty(): boolean {
    return this.#children.size === 0;
  }

  /** The subtree below a name. */
  below(name: string): PathTree {
    return this.#children.get(name) ?? new PathTree();
  }

  /** A tree with the subtree `inner` below one name. */
  static of(name: string, inner: PathTree): PathTree {
    const tree = new PathTree();
    tree.#children.set(name, inner);
    return tree;
  }

  /** The tree with only the names for which `keep` is true. */
  only(keep: (name: string) => boolean): PathTree {
    const part = new PathTree();
    for (const [name, child] of this.#children) if (keep(name)) part.#children.set(name, child);
    return part;
  }
}

/**
 * Whether `mayFollow` allows every relation on `path`; within a zone, it is enough if the path is allowed in one
 * component.
 */
export const isOpen = (
  schema: Schema,
  mayFollow: (member: RelationMember) => boolean,
  owner: Owner,
  [name, ...rest]: readonly string[],
): boolean => {
  const member = name === undefined ? undefined : owner.members.get(name);
  switch (member?.kind) {
    case "relation":
      if (!mayFollow(member)) return false;
      return member.target === undefined || isOpen(schema, mayFollow, schema.type(member.target), rest);
    case "component":
      return isOpen(schema, mayFollow, schema.component(member.component), rest);
    case "zone":
      return member.components.some((uid) => isOpen(schema, mayFollow, schema.component(uid), rest));
    default:
      return true;
  }
};
