/**
 * Random documents over a schema: directives with and without variables, fragments on some of a union's types, aliases that
 * collide or are merged, objects of which nothing is selected, and several fields at the root.
 */
import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isObjectType,
  isUnionType,
} from "graphql";

export interface RandomDocument {
  readonly text: string;
  readonly variables: Readonly<Record<string, boolean>>;
}

/** A small generator of numbers, so that a document can be made again from its seed (mulberry32). */
const numbers = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const VARIABLES = { yes: true, no: false, maybe: false } as const;
const DECLARED: Readonly<Record<keyof typeof VARIABLES, string>> = {
  yes: "$yes: Boolean!",
  no: "$no: Boolean!",
  maybe: "$maybe: Boolean! = true",
};
const ALIASES = ["a", "b", "c", "id", "data"];
const WINDOWS = ["limit: 1", "start: 1", "start: 1, limit: 2", "pageSize: 2"];
const DEEPEST = 8;

type Field = GraphQLField<unknown, unknown>;

class Generator {
  readonly #random: () => number;
  readonly #fragments = new Map<string, { readonly type: string; readonly text: string }>();
  readonly #used = new Set<keyof typeof VARIABLES>();
  /** The field that a key of a type stands for: nearly always the same, so that selections merge. */
  readonly #keys = new Map<string, Field>();
  /** The arguments of a field under one key; the same holds for them. */
  readonly #arguments = new Map<string, string>();
  readonly #schema: GraphQLSchema;
  readonly #rootFields: readonly string[];
  /** Most selections of one object: few in most documents, so that there can be many documents. */
  readonly #most: number;

  constructor(schema: GraphQLSchema, rootFields: readonly string[], seed: number) {
    this.#schema = schema;
    this.#rootFields = rootFields;
    this.#random = numbers(seed);
    this.#most = this.#pick([2, 2, 2, 2, 2, 2, 3, 3, 3, 4]);
  }

  document(): RandomDocument {
    const root = this.#schema.getQueryType();
    if (!root) throw new Error("The schema has no queries.");
    const fields = this.#rootFields.flatMap((name) => root.getFields()[name] ?? []);
    const selections = this.#times(1, 2, () => this.#field(root, this.#pick(fields), 0));
    const fragments = [...this.#fragments].map(([name, { type, text }]) => `fragment ${name} on ${type} ${text}`);
    const declared = [...this.#used].map((name) => DECLARED[name]);
    const head = declared.length > 0 ? `query (${declared.join(", ")}) ` : "";
    const chosen = [...this.#used].filter((name) => name !== "maybe" || this.#chance(0.5));
    return {
      text: [`${head}{ ${selections.join(" ")} }`, ...fragments].join(" "),
      variables: Object.fromEntries(chosen.map((name) => [name, VARIABLES[name]])),
    };
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error("There is nothing to choose from.");
    return item;
  }

  #times(least: number, most: number, make: () => string): string[] {
    return Array.from({ length: least + Math.floor(this.#random() * (most - least + 1)) }, make);
  }

  #directives(): string {
    if (!this.#chance(0.3)) return "";
    const names = this.#chance(0.9) ? [this.#pick(["skip", "include"])] : ["skip", "include"];
    return names.map((name) => ` @${name}(if: ${this.#condition()})`).join("");
  }

  #condition(): string {
    const condition = this.#pick(["true", "false", ...(Object.keys(VARIABLES) as (keyof typeof VARIABLES)[])] as const);
    if (condition in VARIABLES) this.#used.add(condition as keyof typeof VARIABLES);
    return condition in VARIABLES ? `$${condition}` : condition;
  }

  #selectionSet(type: GraphQLNamedType, depth: number): string {
    return `{ ${this.#times(1, this.#most, () => this.#selection(type, depth)).join(" ")} }`;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    const kind = this.#random();
    if (kind < 0.04) return `__typename${this.#directives()}`;
    if (kind < 0.14) return `... ${this.#directives()} ${this.#selectionSet(type, depth)}`;
    if (kind < 0.24) return this.#fragment(type, depth);
    if (isUnionType(type)) {
      const target = this.#pick(this.#schema.getPossibleTypes(type));
      return `... on ${target.name}${this.#directives()} ${this.#selectionSet(target, depth)}`;
    }
    if (!isObjectType(type)) return "__typename";
    const all = Object.values(type.getFields());
    const fields =
      depth < DEEPEST && this.#chance(0.9) ? all : all.filter((field) => isLeafType(getNamedType(field.type)));
    return fields.length === 0 ? `__typename${this.#directives()}` : this.#field(type, this.#pick(fields), depth);
  }

  #fragment(type: GraphQLNamedType, depth: number): string {
    const known = [...this.#fragments].filter(([, fragment]) => fragment.type === type.name);
    if (known.length > 0 && this.#chance(0.6)) return `...${this.#pick(known)[0]}${this.#directives()}`;
    const text = this.#selectionSet(type, depth + 1);
    const name = `F${this.#fragments.size}`;
    this.#fragments.set(name, { type: type.name, text });
    return `...${name}${this.#directives()}`;
  }

  #field(parent: GraphQLObjectType, drawn: Field, depth: number): string {
    const key = this.#chance(0.3) ? this.#pick(ALIASES) : drawn.name;
    const place = `${parent.name}.${key}`;
    const field = this.#mostly(this.#keys, place, drawn);
    const named = getNamedType(field.type);
    const inner = isLeafType(named) ? "" : ` ${this.#selectionSet(named, depth + 1)}`;
    const head = key === field.name ? key : `${key}: ${field.name}`;
    return `${head}${this.#mostly(this.#arguments, `${place} ${field.name}`, this.#args(field))}${this.#directives()}${inner}`;
  }

  /** What was chosen for a place before, with few exceptions: those make most documents invalid. */
  #mostly<Choice>(choices: Map<string, Choice>, place: string, drawn: Choice): Choice {
    const known = choices.get(place);
    if (known !== undefined && this.#chance(0.98)) return known;
    choices.set(place, drawn);
    return drawn;
  }

  #args({ args }: Field): string {
    const identity = args.find(({ name }) => name === "documentId" || name === "id");
    if (identity)
      return `(${identity.name}: "${this.#pick(["a1", "a2", "a4", "ann", "bob", "root", "c1", "nobody"])}")`;
    const isPaged = args.some(({ name }) => name === "pagination");
    return isPaged && this.#chance(0.15) ? `(pagination: { ${this.#pick(WINDOWS)} })` : "";
  }
}

/** The document of a seed; it may be invalid, as selections under one alias may not fit together. */
export const randomDocument = (schema: GraphQLSchema, rootFields: readonly string[], seed: number): RandomDocument =>
  new Generator(schema, rootFields, seed).document();
