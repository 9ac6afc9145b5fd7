/** The inputs and filter inputs of content types and components, derived from the fields of their objects. */
import { EnumRef, ScalarRef } from "@pothos/core";
import type { InputField, InputFields, InputMembers, InputRef, OutputField } from "../builder.ts";
import type { Declaration } from "../catalog.ts";
import type { Scope } from "../schema/scope.ts";
import { filteredScalar, scalarFilter } from "../schema/shared-types.ts";
import { identityFilter, systemFilters, systemInputs } from "../schema/system-fields.ts";

/** What else is derived from a field. */
export interface Members {
  /** Its input field; undefined if inputs do not have it. */
  readonly input?: (t: InputFields) => InputField;
  /** Its filter; undefined if lists cannot be filtered by it. */
  readonly filter?: () => InputRef | undefined;
  /** The uid of the content type or component that the field leads to. */
  readonly target?: string;
  /** The same field as a connection, named `<name>_connection`. */
  readonly connection?: OutputField;
}

/** Metadata of fields, which Pothos has no place for. */
const noted = new WeakMap<object, Members>();

/** Records what is derived from a field of this plugin; for all other fields it follows from their type. */
export const withMembers = <Field extends object>(field: Field, members: Members): Field => {
  noted.set(field, members);
  return field;
};

/** What was recorded for a field. */
export const notedOf = (field: OutputField): Members => noted.get(field) ?? {};

const configOf = (scope: Scope, { name }: Declaration, attribute: string, field: OutputField) =>
  field.getConfig(attribute, scope.builder.configStore.getTypeConfig(name));

/** Enumerations are filtered as text. */
const plainMembers = (scope: Scope, { type }: ReturnType<OutputField["getConfig"]>): Members => {
  const ref: unknown = type.kind === "List" ? undefined : type.ref;
  if (!(ref instanceof EnumRef || ref instanceof ScalarRef)) return {};
  const scalar = ref instanceof EnumRef ? "String" : filteredScalar(ref.name);
  return {
    input: (t) => t.field({ type: ref }),
    filter: () => scalar && scalarFilter(scope, scalar),
  };
};

/** A cache, since the input and the filter input ask for the same. */
const known = new WeakMap<OutputField, Members>();

/** What is derived from a field, as far as its options allow. */
const membersOf = (scope: Scope, owner: Declaration, attribute: string, field: OutputField): Members => {
  const members = known.get(field) ?? findMembers(scope, owner, attribute, field);
  known.set(field, members);
  return members;
};

const findMembers = (scope: Scope, owner: Declaration, attribute: string, field: OutputField): Members => {
  const config = configOf(scope, owner, attribute, field);
  const { input, filter } = noted.get(field) ?? plainMembers(scope, config);
  const { readOnly, writeOnly } = config.pothosOptions;
  return { ...(input && !readOnly ? { input } : {}), ...(filter && !writeOnly ? { filter } : {}) };
};

/** Everything that an input may set. Always optional: only publishing requires values. */
const inputMembers = (scope: Scope, owner: Declaration, t: InputFields): InputMembers =>
  Object.fromEntries(
    [...owner.fields()].flatMap(([name, field]) => {
      const { input } = membersOf(scope, owner, name, field);
      return input ? [[name, input(t)]] : [];
    }),
  );

const filterMembers = (scope: Scope, owner: Declaration, t: InputFields): InputMembers =>
  Object.fromEntries(
    [...owner.fields()].flatMap(([name, field]) => {
      const type = membersOf(scope, owner, name, field).filter?.();
      return type ? [[name, t.field({ type })]] : [];
    }),
  );

/** `XInput`. */
export const inputOf = (scope: Scope, owner: Declaration): InputRef =>
  scope.refs.defineInput(`${owner.name}Input`, (t) => ({
    ...(owner.type ? {} : { id: t.id() }),
    ...inputMembers(scope, owner, t),
    ...(owner.type ? systemInputs(scope, owner.type, t) : {}),
  }));

/** `XFiltersInput`. Single types are found without a filter, so they have none. */
export const filtersOf = (scope: Scope, owner: Declaration): InputRef | undefined =>
  owner.type?.kind === "singleType"
    ? undefined
    : scope.refs.defineInput(`${owner.name}FiltersInput`, (t, ref) => ({
        ...(owner.type ? identityFilter(scope, t) : {}),
        ...filterMembers(scope, owner, t),
        ...(owner.type ? systemFilters(scope, owner.type, t, ref) : {}),
        and: t.field({ type: t.listRef(ref, { required: false }) }),
        or: t.field({ type: t.listRef(ref, { required: false }) }),
        not: t.field({ type: ref }),
      }));
