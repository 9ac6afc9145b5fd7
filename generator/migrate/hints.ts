/** What the schema says beyond its tables and outline: conversions, renamed values, defaults. */
import type { Model, ScalarAttribute } from "../model/model.ts";
import type { Change } from "./change.ts";
import type { AttributeHints } from "./convert.ts";

/** A password's default would have to be stored as a hash, each with a salt of its own: nobody is given one. */
const scalarHints = ({ type, default: value, renamedValues }: ScalarAttribute): AttributeHints => ({
  ...(value === undefined || value === null || type === "password" ? {} : { default: value }),
  ...(renamedValues === undefined ? {} : { renamedValues }),
});

/** By the place of the attribute. */
export const hintsOf = ({ contentTypes, components }: Model): Change["hints"] => {
  const hints = new Map<string, AttributeHints>();
  for (const { uid, attributes } of [...contentTypes, ...components]) {
    for (const attribute of attributes) {
      const hint = {
        ...(attribute.convert === undefined ? {} : { convert: attribute.convert }),
        ...(attribute.required ? { required: true as const } : {}),
        ...(attribute.kind === "scalar" ? scalarHints(attribute) : {}),
      };
      if (Object.keys(hint).length > 0) hints.set(`${uid}.${attribute.name}`, hint);
    }
  }
  return hints;
};

/** Hints for the way back: renamed values in reverse. Conversions have no reverse, but what they made can be read again. */
export const invertHints = (
  hints: Change["hints"],
  { contentTypes, components }: Change["correspondence"],
): Change["hints"] => {
  const inverted = new Map<string, AttributeHints>();
  for (const pairing of [...contentTypes, ...components]) {
    for (const pair of pairing.attributes) {
      const { renamedValues: values, convert } = hints.get(`${pairing.new}.${pair.new}`) ?? {};
      const renamedValues = values && Object.fromEntries(Object.entries(values).map(([to, from]) => [from, to]));
      inverted.set(`${pairing.old}.${pair.old}`, {
        ...(renamedValues ? { renamedValues } : {}),
        ...(convert === undefined ? {} : { wasConverted: true }),
      });
    }
  }
  return inverted;
};

/** Written conversions by column. */
export const columnConverts = ({ next, hints }: Change): Map<string, string> => {
  const converts = new Map<string, string>();
  for (const [uid, { table, attributes }] of Object.entries(next.contentTypes)) {
    for (const [name, attribute] of Object.entries(attributes)) {
      const convert = hints.get(`${uid}.${name}`)?.convert;
      if (convert !== undefined && "column" in attribute && attribute.column !== undefined)
        converts.set(`${table}.${attribute.column}`, convert);
    }
  }
  return converts;
};
