/** Bodies that the generated validators take: something for every attribute. */
import { z } from "zod";
import type { Application } from "../../../runtime/app/application.ts";
import type { Attribute, ComponentUid, ContentType, Field, MediaField } from "../../../runtime/schema/content-type.ts";
import { leadsToMany } from "../../../runtime/schema/field.ts";
import { conditionalOf } from "../../../runtime/schema/validation/conditional.ts";

type Data = Readonly<Record<string, unknown>>;
/** What a body is made from. */
export interface Given {
  /** By content type, a document that is there. */
  readonly present: ReadonlyMap<string, string>;
  /** Another value for every scalar. */
  readonly other?: boolean;
  /** What may not be written, too. */
  readonly unwritable?: boolean;
}

const CANDIDATES: readonly unknown[] = [
  "abcde", "a", "abcdefghij", "a@b.example", "A-1", 7, 1, 12, 1.5, "5", "1.50", true, "2024-02-01", "10:20:30.000",
  "2024-02-01T10:20:30.000Z", [{ type: "paragraph", children: [{ type: "text", text: "abc" }] }], { a: 1 }, [],
]; // prettier-ignore

const valuesOf = (schema: z.core.$ZodType): readonly unknown[] => {
  const json: { enum?: unknown[]; anyOf?: { enum?: unknown[] }[] } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  });
  return [...(json.enum ?? []), ...(json.anyOf ?? []).flatMap((part) => part.enum ?? []), ...CANDIDATES];
};

const target = (attribute: Attribute | Field, { present }: Given): unknown => {
  const uid = "target" in attribute ? attribute.target : [...present.keys()][0];
  const documentId = present.get(String(uid));
  return "target" in attribute ? documentId : { documentId, __type: uid };
};

/** The ids of files that are there, by kind. */
export const fileIds: Readonly<Record<string, readonly [number, number]>> = {
  images: [1, 2],
  videos: [3, 4],
  files: [5, 6],
  audios: [7, 8],
};

const fileFor = ({ allowedTypes, multiple }: MediaField, other: boolean): unknown => {
  const taken: readonly string[] = allowedTypes ?? Object.keys(fileIds);
  const ids = Object.entries(fileIds).flatMap(([kind, [one, two]]) =>
    taken.includes(kind) ? [other ? two : one] : [],
  );
  return multiple ? ids.slice(0, 2) : ids[0];
};

const scalarFor = (schema: z.core.$ZodType, other: boolean): unknown => {
  const taken = valuesOf(schema).filter((value) => z.safeParse(schema, value).success);
  return other ? taken.at(-1) : taken[0];
};

interface Described {
  readonly attributes: Readonly<Record<string, Attribute | Field>>;
  readonly shape: Readonly<Record<string, z.ZodType>>;
}

/** Undefined: nothing is said of the attribute. */
const valueFor = (application: Application, name: string, { attributes, shape }: Described, given: Given): unknown => {
  const attribute = attributes[name];
  const member = shape[name];
  const schema = member && (conditionalOf(member)?.schema ?? member);
  if (attribute === undefined || schema === undefined || (attribute.writable === false && !given.unwritable))
    return undefined;
  const entry = (uid: ComponentUid): Data => {
    const module = application.components[uid];
    if (!module) return {};
    const { attributes: own } = module.component;
    return dataFor(application, { attributes: own, shape: module.validator.shape }, given, [
      "component",
      "dynamiczone",
    ]);
  };
  switch (attribute.type) {
    case "relation": {
      if (given.present.size === 0 || attribute.relation === "morphToOne") return undefined;
      const value = target(attribute, given);
      return leadsToMany(attribute.relation) ? [value] : value;
    }
    case "media":
      return fileFor(attribute, given.other === true);
    case "component":
      return attribute.repeatable === true
        ? [entry(attribute.component), entry(attribute.component)]
        : entry(attribute.component);
    case "dynamiczone":
      return attribute.components.map((uid) => ({ __component: uid, ...entry(uid) }));
    case "json":
      return { a: 1 };
    default:
      return scalarFor(schema, given.other === true);
  }
};

const dataFor = (application: Application, described: Described, given: Given, without: readonly string[] = []): Data =>
  Object.fromEntries(
    Object.entries(described.attributes).flatMap(([name, { type }]) => {
      const value = without.includes(type) ? undefined : valueFor(application, name, described, given);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** A whole body of a content type; relations lead to what is present. */
export const bodyFor = (application: Application, { uid, attributes }: ContentType, given: Given): Data => {
  const validator = application.contentTypes[uid]?.validator;
  return validator ? dataFor(application, { attributes, shape: validator.shape }, given) : {};
};
