/** What the schema says beyond its tables and outline: conversions, renamed values, defaults. */
import { isNow } from "../model/defaults.ts";
import type { Model, ScalarAttribute } from "../model/model.ts";
import type { Change } from "./change.ts";
import type { AttributeHints, Scalar } from "./convert.ts";
import { takenOver } from "./names/claims.ts";
import { valueClaims } from "./names/swaps.ts";
import { own } from "./own.ts";
import { withPlainQuotes } from "./plain-quotes.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Existing content gets no default for a password (it would have to be stored as a hash, each with its own salt), for a
 * creation time (which is unknown), or for a unique attribute (whose default may occur only once).
 */
export const isForAll = ({ type, unique, default: value }: ScalarAttribute): boolean =>
  value !== undefined && value !== null && !unique && type !== "password" && !isNow(type, value);

const scalarHints = (attribute: ScalarAttribute): AttributeHints => ({
  ...(isForAll(attribute) ? { default: attribute.default } : {}),
  ...(attribute.renamedValues === undefined ? {} : { renamedValues: attribute.renamedValues }),
});

type Renamed = Readonly<Record<string, string>>;

/** The values that this migration renames: already recorded renames are ignored, unless others take the values over. */
const renamedNow = (renamed: Renamed, before: Scalar, after: Scalar, traded: Renamed): Renamed => {
  const values = after.enum ?? [];
  if (before.enum === undefined)
    return Object.fromEntries(
      Object.entries(renamed).filter(([to, from]) => values.includes(to) && !values.includes(from)),
    );
  const known = new Set(before.enum);
  const taken = takenOver(
    valueClaims(values, renamed),
    (value) => known.has(value),
    ({ name, from }) => own(traded, name) === from,
  );
  return Object.fromEntries([...taken].map(([from, to]) => [to, from]));
};

/** The same for every attribute that continues, by place. */
const valuesRenamed = (
  old: Snapshot,
  next: Pick<Snapshot, "contentTypes" | "components">,
  { contentTypes, components }: Change["correspondence"],
  told: Change["hints"],
): Change["hints"] => {
  const [before, after] = [
    { ...old.contentTypes, ...old.components },
    { ...next.contentTypes, ...next.components },
  ];
  const hints = new Map(told);
  for (const pairing of [...contentTypes, ...components]) {
    for (const pair of pairing.attributes) {
      const place = `${pairing.new}.${pair.new}`;
      const { renamedValues, ...rest } = hints.get(place) ?? {};
      if (renamedValues === undefined) continue;
      const [was, is] = [before[pairing.old]?.attributes[pair.old], after[pairing.new]?.attributes[pair.new]];
      const traded = own(old.swapped?.values, `${pairing.old}.${pair.old}`) ?? {};
      const now = was?.kind === "scalar" && is?.kind === "scalar" ? renamedNow(renamedValues, was, is, traded) : {};
      hints.set(place, Object.keys(now).length === 0 ? rest : { ...rest, renamedValues: now });
    }
  }
  return hints;
};

/** What the schema says about this change, by the place of the attribute. */
export const hintsFor = (
  model: Model,
  old: Snapshot,
  next: Pick<Snapshot, "contentTypes" | "components">,
  correspondence: Change["correspondence"],
): Change["hints"] => valuesRenamed(old, next, correspondence, hintsOf(model));

const hintsOf = ({ contentTypes, components }: Model): Change["hints"] => {
  const hints = new Map<string, AttributeHints>();
  for (const { uid, attributes } of [...contentTypes, ...components]) {
    for (const attribute of attributes) {
      const hint = {
        ...(attribute.convert === undefined ? {} : { convert: withPlainQuotes(attribute.convert) }),
        ...(attribute.required ? { required: true as const } : {}),
        ...(attribute.kind === "scalar" ? scalarHints(attribute) : {}),
      };
      if (Object.keys(hint).length > 0) hints.set(`${uid}.${attribute.name}`, hint);
    }
  }
  return hints;
};
