/** Dotted populate paths as a tree, in the order in which names first appear. */
export class PathTree {
  readonly #children = new Map<string, PathTree>();

  constructor(paths: readonly string[] = []) {
    for (const path of paths) this.#add(path.split("."));
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

  /** The part of the tree that `keep` knows the names of. */
  only(keep: (name: string) => boolean): PathTree {
    const part = new PathTree();
    for (const [name, child] of this.#children) if (keep(name)) part.#children.set(name, child);
    return part;
  }
}
