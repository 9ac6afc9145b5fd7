/**
 * Which of the generated types, fields and operations an application has disabled.
 * It is filled while `register` runs and read while the schema is built.
 */
import { didYouMean } from "../../base/did-you-mean.ts";
import { SetupError } from "../../base/thrown.ts";

export type Action = "find" | "findOne" | "create" | "update" | "delete";

const QUERIES: readonly Action[] = ["find", "findOne"];
const MUTATIONS: readonly Action[] = ["create", "update", "delete"];
const ACTIONS: ReadonlySet<string> = new Set([...QUERIES, ...MUTATIONS]);

/** The fields that content types have besides their attributes. */
export const SYSTEM_FIELDS: readonly string[] = [
  "documentId",
  "createdAt",
  "updatedAt",
  "publishedAt",
  "locale",
  "localizations",
];

/** Code that is not type-checked may use unknown names, and disabling nothing silently would be a security hole. */
export const checkKnown = (what: string, name: string, known: ReadonlySet<string>): void => {
  if (!known.has(name))
    throw new SetupError(`app.ts names what is not there: there is no ${what} "${name}".${didYouMean(name, known)}`);
};

/** Where a field appears: in responses, in inputs or in filters. */
export type Side = "output" | "input" | "filters";

/** The handle on one field. Its methods return it, so that calls chain. */
export class FieldHandle {
  readonly #disabled = new Set<Side>();

  readonly #disable = (...sides: readonly Side[]): this => {
    for (const side of sides) this.#disabled.add(side);
    return this;
  };

  readonly disable = (): this => this.#disable("output", "input", "filters");
  readonly disableOutput = (): this => this.#disable("output");
  readonly disableInput = (): this => this.#disable("input");
  readonly disableFilters = (): this => this.#disable("filters");

  readonly offers = (side: Side): boolean => !this.#disabled.has(side);
  /** Whether the field still appears anywhere. */
  readonly isEnabled = (): boolean => this.#disabled.size < 3;
  readonly isDisabled = (): boolean => !this.isEnabled();
  readonly hasOutputEnabled = (): boolean => this.offers("output");
  readonly hasInputEnabled = (): boolean => this.offers("input");
  readonly hasFiltersEnabled = (): boolean => this.offers("filters");
  /** The misspelling that existing applications use. */
  readonly hasFiltersEnabeld = this.hasFiltersEnabled;
}

type Part = "type" | "queries" | "mutations" | Action;

/** The handle on one content type or component. */
export class TypeHandle<Field extends string = string, Allowed extends string = Action> {
  readonly #disabled = new Set<string>();
  readonly #fields = new Map<string, FieldHandle>();
  readonly #uid: string;
  readonly #fieldNames: ReadonlySet<string> | undefined;

  /** Refuses fields whose names are not in `fieldNames`; refuses none if that is undefined. */
  constructor(uid: string, fieldNames: ReadonlySet<string> | undefined) {
    this.#uid = uid;
    this.#fieldNames = fieldNames;
  }

  readonly #disable = (part: Part): this => {
    this.#disabled.add(part);
    return this;
  };

  /** Leaves out the type, its inputs and filters, and every relation that points to it. */
  readonly disable = (): this => this.#disable("type");
  readonly disableQueries = (): this => this.#disable("queries");
  readonly disableMutations = (): this => this.#disable("mutations");

  /** Leaves out one operation; `*` leaves out all of them. */
  disableAction(action: Allowed | "*"): this {
    if (action !== "*") checkKnown("action", action, ACTIONS);
    for (const each of action === "*" ? ACTIONS : [action]) this.#disabled.add(each);
    return this;
  }

  disableActions(actions: readonly Allowed[]): this {
    for (const action of actions) this.disableAction(action);
    return this;
  }

  readonly isEnabled = (): boolean => !this.isDisabled();
  readonly isDisabled = (): boolean => this.#disabled.has("type");
  readonly areQueriesEnabled = (): boolean => !this.areQueriesDisabled();
  readonly areQueriesDisabled = (): boolean => this.#disabled.has("queries");
  readonly areMutationsEnabled = (): boolean => !this.areMutationsDisabled();
  readonly areMutationsDisabled = (): boolean => this.#disabled.has("mutations");
  readonly isActionEnabled = (action: Allowed): boolean => !this.isActionDisabled(action);
  readonly isActionDisabled = (action: Allowed): boolean => this.#disabled.has(action);

  /** Whether a field is still enabled on one side. */
  readonly offers = (name: Field, side: Side): boolean => this.#fields.get(name)?.offers(side) ?? true;

  /** The handle on one attribute or system field; the same one at every call. */
  field(name: Field): FieldHandle {
    const known = this.#fields.get(name);
    if (known) return known;
    if (this.#fieldNames) checkKnown(`field of ${this.#uid} called`, name, this.#fieldNames);
    const handle = new FieldHandle();
    this.#fields.set(name, handle);
    return handle;
  }
}

/** All handles of one application. */
export class ShadowCrud {
  readonly #types = new Map<string, TypeHandle>();
  readonly #fieldNames: ReadonlyMap<string, ReadonlySet<string>>;

  /** @param fieldNames the fields that can be disabled, by uid of the content type */
  constructor(fieldNames: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#fieldNames = fieldNames;
  }

  /** The uids of the content types. */
  get uids(): ReadonlySet<string> {
    return new Set(this.#fieldNames.keys());
  }

  /** The handle on a content type or component, by uid; the same one at every call. */
  type(uid: string): TypeHandle {
    const known = this.#types.get(uid);
    if (known) return known;
    const handle = new TypeHandle(uid, this.#fieldNames.get(uid));
    this.#types.set(uid, handle);
    return handle;
  }

  /** Whether the schema has this operation of the type. */
  offers(uid: string, action: Action): boolean {
    const handle = this.type(uid);
    const group = QUERIES.includes(action) ? handle.areQueriesEnabled() : handle.areMutationsEnabled();
    return handle.isEnabled() && group && handle.isActionEnabled(action);
  }
}
