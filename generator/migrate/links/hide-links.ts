/** Links that become invisible once their target is localized: those of versions in locales other than the default. */
import {
  type Change,
  type Findings,
  pairedAttributes,
  type PairedAttribute,
  pairedComponents,
  pairedTypes,
} from "../change.ts";
import { countStored, fieldOfStored, storedEntries } from "../components/stored-entries.ts";
import type { AttributeOutline, ContentTypeOutline } from "../snapshot.ts";
import { countRows, literal, quote } from "../sql.ts";
import { dare, type Draft } from "../step.ts";

type Relation = Extract<AttributeOutline, { kind: "relation" }>;

const countLinks = (table: string, { column, link }: Relation, elsewhere: string): string | undefined => {
  if (column !== undefined) return countRows(table, `${elsewhere} and ${quote(column)} is not null`);
  if (link === undefined) return undefined;
  return `select count(*) from ${quote(link)} as link join ${quote(table)} as version on version."id" = link."version_id" where version.${elsewhere}`;
};

/**
 * The links stay stored, but an editor who saves what was read removes them: this must be allowed like any loss.
 *
 * @param sql counts them before the migration
 */
const hide = (draft: Draft, place: string, target: string, locale: string, sql: string): void => {
  const others = `links of ${place} in other locales than ${JSON.stringify(locale)}`;
  const until = "until their targets have a version there";
  const reason = `${target} would be localized: ${others} would not be shown ${until}`;
  if (!dare(draft, `narrow:${place}`, reason, `sight of ${others}, ${until}`)) return;
  draft.concerns.push({ what: `links of ${place} in other locales`, sql, becomes: "hides" });
};

/** Relations of localized types to types that become localized: from then on, both sides are shown in one locale. */
export const hideLinks = ({ draft }: Findings, change: Change): void => {
  const { old, defaultLocale } = change;
  const types = pairedTypes(change);
  const targets = new Map(
    types.flatMap(({ pairing, before, after }) =>
      !before.localized && after.localized ? [[pairing.old, after.table] as const] : [],
    ),
  );
  if (targets.size === 0) return;
  const elsewhere = `"locale" <> ${literal(defaultLocale)}`;
  const look = (
    owner: string,
    paired: readonly PairedAttribute[],
    count: (name: string, each: Relation) => string | undefined,
  ) => {
    for (const { pair, before } of paired) {
      const target = before.kind === "relation" ? targets.get(before.target ?? "") : undefined;
      const sql = before.kind === "relation" && target !== undefined ? count(pair.old, before) : undefined;
      if (target !== undefined && sql !== undefined) hide(draft, `${owner}.${pair.old}`, target, defaultLocale, sql);
    }
  };
  for (const { pairing, before, after } of types) {
    if (!before.localized) continue;
    look(before.table, pairedAttributes(pairing.attributes, before, after), (_name, each) =>
      countLinks(before.table, each, elsewhere),
    );
  }
  // Only versions of localized types have a locale; what other types link to is shown in the default one.
  const rowsOf = ({ localized }: ContentTypeOutline) => (localized ? elsewhere : "false");
  for (const { pairing, before, after } of pairedComponents(change)) {
    const stored = storedEntries(old, pairing.old, rowsOf);
    look(pairing.old, pairedAttributes(pairing.attributes, before, after), (name, { many }) =>
      countStored(fieldOfStored(stored, name), { end: many ? "[*]" : "" }),
    );
  }
};
