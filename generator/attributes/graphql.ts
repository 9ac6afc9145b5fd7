/** Fields of GraphQL objects: calls on the field builder `t`, and the enumerations of attributes. */
import type { Attribute, GraphqlEnum, ScalarAttribute } from "../model/model.ts";
import { isPresent } from "./common.ts";
import type { Scope } from "./entry.ts";
import { call, code, type Expression, object, text } from "./expression.ts";

type Options = readonly (readonly [string, Expression | undefined])[];

/** In no answer, and in no filter: bodies alone may name it. */
const isHidden = (attribute: Attribute): boolean =>
  attribute.private || (attribute.kind === "scalar" && attribute.type === "password");

const access = (attribute: Attribute): Options => [
  ["writeOnly", isHidden(attribute) ? code("true") : undefined],
  ["readOnly", attribute.writable ? undefined : code("true")],
];

/** Undefined for what is neither answered nor written. */
const shown = (attribute: Attribute, make: () => Expression): Expression | undefined =>
  isHidden(attribute) && !attribute.writable ? undefined : make();

const withOptions = (callee: string, args: readonly Expression[], options: Options): Expression => {
  const given = object(options);
  return call(callee, ...args, ...(given.members.length > 0 ? [given] : []));
};

/** Never null in an answer; what is in no answer has nothing to promise. */
const nullable = (attribute: Attribute) =>
  ["nullable", isPresent(attribute) && !isHidden(attribute) ? code("false") : undefined] as const;

/** Scalars that Pothos has a word for. */
const EXPOSED: ReadonlySet<string> = new Set(["String", "Boolean", "Int", "Float"]);

/** A field with the value of the attribute, of a type that is given as Pothos takes it. */
export const exposedAs = (attribute: ScalarAttribute, type: Expression): Expression | undefined =>
  shown(attribute, () =>
    withOptions("t.expose", [text(attribute.name)], [["type", type], nullable(attribute), ...access(attribute)]),
  );

/** The same for a scalar. */
export const exposed = (attribute: ScalarAttribute, scalar: string): Expression | undefined =>
  EXPOSED.has(scalar)
    ? shown(attribute, () =>
        withOptions(`t.expose${scalar}`, [text(attribute.name)], [nullable(attribute), ...access(attribute)]),
      )
    : exposedAs(attribute, text(scalar));

/** A field that leads to something, by a word of the content plugin. */
export const leading = (
  word: string,
  attribute: Attribute,
  target: readonly Expression[],
  required: boolean,
): Expression | undefined =>
  shown(attribute, () =>
    withOptions(
      `t.${word}`,
      [text(attribute.name), ...target],
      [...(required ? [nullable(attribute)] : []), ...access(attribute)],
    ),
  );

/** The type of an enumeration, made where it is used; members whose name is the value say it once. */
export const enumType = ({ name, members }: GraphqlEnum, scope: Scope): Expression => {
  const values = members.map(
    (member) =>
      [member.name, object([["value", member.name === member.value ? undefined : text(member.value)]])] as const,
  );
  const make = scope.isSharedEnum(name) ? "builder.sharedEnumType" : "builder.enumType";
  return call(make, text(name), object([["values", object(values)]]));
};
