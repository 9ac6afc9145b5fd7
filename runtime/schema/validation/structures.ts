/** Builders of attributes that hold more than one value: JSON, files, relations, components and dynamic zones. */
import { z } from "zod";
import type { ComponentUid, MediaKind, Uid } from "../content-type.ts";
import type { AttributeOptions, AttributeValidator, Mode, Validator } from "./attribute.ts";
import { attribute, present } from "./base.ts";
import { blockNodes } from "./blocks.ts";
import { castBlocks, castJson, invalidJson } from "./casting.ts";

/** Whether no text and no key in a JSON value holds U+0000, which the database cannot read out of JSON. */
const isReadable = (value: unknown): boolean => {
  if (typeof value === "string") return !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, member]) => !key.includes("\0") && isReadable(member));
};

const readable = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.refine(isReadable, { params: { rule: "text" } });

/** Any JSON value, also as JSON text. */
export const json = (options: AttributeOptions = {}): AttributeValidator => {
  const valid = present(z.unknown()).refine((value) => value !== invalidJson, { params: { rule: "json" } });
  const schema = readable(valid);
  return attribute(options, { full: schema, lenient: schema, cast: castJson });
};

/** Rich text as a list of nodes. */
export const blocks = (options: AttributeOptions = {}): AttributeValidator => {
  const schema = readable(blockNodes);
  return attribute(options, { full: schema, lenient: schema, cast: castBlocks });
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** The forms of a relation are read by the document service; here a required one has to be there. */
const link = (options: AttributeOptions): AttributeValidator => {
  const anything = z.unknown();
  const full = options.required
    ? anything.refine((value) => !isEmpty(value), { params: { rule: "present" } })
    : anything.optional();
  return { options, published: full, update: full.optional(), draft: anything.optional() };
};

/** Whether there are several files, and which kinds are allowed. */
export interface MediaOptions extends AttributeOptions {
  readonly multiple?: boolean;
  readonly allowedTypes?: readonly MediaKind[];
}

/** Files that were uploaded before, by id. */
export const media = (options: MediaOptions = {}): AttributeValidator => link(options);

/** The type that a relation leads to. */
export interface RelationOptions extends AttributeOptions {
  /** Left out by a morph relation. */
  readonly target?: Uid;
}

/** A relation to one document. */
export const relation = (options: RelationOptions = {}): AttributeValidator => link(options);

/** A relation to any number of documents. */
export const relations = (options: RelationOptions = {}): AttributeValidator => link(options);

/** A component's validator, or a function that returns it where two components hold each other. */
export type ComponentValidator = Validator | (() => Validator);

const resolve = (component: ComponentValidator) => (typeof component === "function" ? component : () => component);

/** The schemas of attributes that hold components differ by mode all the way down. */
const nested = (
  options: AttributeOptions,
  own: AttributeValidator["nested"] & object,
  schema: (mode: Mode) => z.ZodType,
): AttributeValidator => {
  const published = schema("create");
  return {
    options,
    published: options.required ? published : published.optional(),
    update: schema("update").optional(),
    draft: schema("draft").optional(),
    nested: own,
  };
};

/** A single component; null removes it. */
export const component = (of: ComponentValidator, options: AttributeOptions = {}): AttributeValidator => {
  const validator = resolve(of);
  return nested(options, { kind: "component", validator }, (mode) => {
    const schema = z.lazy(() => validator().schema(mode));
    return options.required && mode !== "draft" ? schema : schema.nullable();
  });
};

/** How many entries there may be, once published. */
export interface ListOptions extends AttributeOptions {
  readonly min?: number;
  readonly max?: number;
}

/** Limits count once published; an empty list needs to reach the lower one only where it is required. */
const list = (items: z.ZodType, { min, max, required }: ListOptions, mode: Mode): z.ZodType => {
  const schema = z.array(items);
  if (mode === "draft") return schema;
  const most = max === undefined ? schema : schema.max(max);
  if (min === undefined) return most;
  return required
    ? most.min(min)
    : most.check(({ value, issues }) => {
        if (value.length === 0 || value.length >= min) return;
        issues.push({ code: "too_small", origin: "array", minimum: min, input: value, inclusive: true });
      });
};

/** A repeatable component. */
export const components = (of: ComponentValidator, options: ListOptions = {}): AttributeValidator => {
  const validator = resolve(of);
  return nested(options, { kind: "components", validator }, (mode) =>
    list(
      z.lazy(() => validator().schema(mode)),
      options,
      mode,
    ),
  );
};

/** A list of components of several kinds, each named by its `__component`. */
export const dynamicZone = (
  of: Readonly<Record<ComponentUid, ComponentValidator>>,
  options: ListOptions = {},
): AttributeValidator => {
  const validators = Object.fromEntries(Object.entries(of).map(([uid, one]) => [uid, resolve(one)]));
  const item = (mode: Mode): z.ZodType =>
    z.lazy(() => {
      const [first, ...others] = Object.entries(validators).map(([uid, one]) =>
        one()
          .schema(mode)
          .extend({ __component: z.literal(uid) }),
      );
      return first ? z.discriminatedUnion("__component", [first, ...others]) : z.never();
    });
  return nested(options, { kind: "zone", validators }, (mode) => list(item(mode), options, mode));
};
