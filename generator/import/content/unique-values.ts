/** Enforces uniqueness that the source did not have: drops a value that another version already has. */
import { getTableName } from "drizzle-orm";
import type { Session } from "../../../runtime/database/database.ts";
import { attributesOf, isScalar } from "../../../runtime/documents/attributes.ts";
import { isNothing } from "../../../runtime/documents/plan/values.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import type { BuiltVersion } from "./build-version.ts";

/** Called for each dropped value. */
type OnRepeated = (version: BuiltVersion, attribute: string, value: unknown) => void;

const keyOf = (value: unknown, locale: string | null): string => `${locale ?? ""} ${String(value)}`;

/** Clears the unique columns of published versions that repeat a value. */
export const dropRepeated = async (
  session: Session,
  type: ContentType,
  versions: readonly BuiltVersion[],
  onRepeated: OnRepeated,
): Promise<void> => {
  const published = versions.filter(({ isPublished }) => isPublished);
  const { table } = type;
  for (const [name, attribute] of attributesOf(type)) {
    if (!isScalar(attribute) || !(attribute.unique || attribute.type === "uid")) continue;
    const column = attribute.column.name;
    const having = published.filter(({ columns }) => !isNothing(columns[column]));
    if (having.length === 0) continue;
    const locale = table.locale ? `"${table.locale.name}"` : "null::text";
    const known = await session.rows(
      `select "${column}"::text, ${locale} from "${getTableName(table)}"
       where published_at is not null and "${column}" = any(
         array(select json_array_elements_text($1::json)::${attribute.column.getSQLType()})
       )`,
      [JSON.stringify(having.map(({ columns }) => columns[column]))],
    );
    const taken = new Set(known.map(([value, where]) => keyOf(value, typeof where === "string" ? where : null)));
    for (const version of having) {
      const key = keyOf(version.columns[column], version.locale);
      if (taken.has(key)) {
        onRepeated(version, name, version.columns[column]);
        version.columns[column] = null;
      } else taken.add(key);
    }
  }
};
