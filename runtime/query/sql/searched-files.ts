/** Searches in the texts of files: they find the rows whose media attributes show these files. */
import { or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { FILE_TEXTS, showsFiles } from "../../search/file-texts.ts";
import { isSearched } from "../../search/text-paths.ts";
import { storedWords } from "../../search/vector.ts";
import type { Condition } from "../query.ts";
import type { RelationMember } from "../schema.ts";
import { storageOf, tieOf } from "./reach.ts";
import { hasText, type RowScope } from "./scope.ts";

/** A condition for a file, by its texts that the caller may see, and the words of all its texts. */
type Matches = (visible: readonly AnyPgColumn[], stored: SQL) => SQL | undefined;

const visibleTexts = (file: RowScope): readonly AnyPgColumn[] =>
  FILE_TEXTS.flatMap((name) => {
    const member = file.owner.members.get(name);
    return member?.kind === "scalar" && member.column && isSearched(member) ? [file.column(member.column)] : [];
  });

/** The rows that show a matching file; undefined if the caller sees no text of files. */
const rowsShowing = (row: RowScope, member: RelationMember, matches: Matches): SQL | undefined => {
  const storage = storageOf(row.build, member);
  if (member.target === undefined || (storage.kind !== "column" && storage.kind !== "fileLink")) return undefined;
  const file = row.build.rows(member.target, row.status);
  const visible = visibleTexts(file);
  if (visible.length === 0) return undefined;
  const found = matches(visible, storedWords(file.alias));
  // An array, so that PostgreSQL looks the rows up in indexes, although other conditions are alternatives to this one.
  if (storage.kind === "column")
    return sql`${row.column(storage.column)} = any(array(select ${file.id} from ${file.from} where ${found}))`;
  const { link, key } = tieOf(file, row.owner.uid, storage);
  if (link === undefined) return undefined;
  const links = sql`${link.table} ${sql.identifier(link.alias)} join ${file.from} on ${link.on}`;
  return sql`${row.id} = any(array(select ${key} from ${links} where ${found}))`;
};

/** The conditions for rows that show matching files: one for each media attribute that is searched. */
export const filesIn = (row: RowScope, matches: Matches): readonly SQL[] =>
  [...row.owner.members.values()].flatMap((member) => {
    if (member.kind !== "relation" || !showsFiles(member)) return [];
    return rowsShowing(row, member, matches) ?? [];
  });

/** The same for `_q` without full-text search: the text of one file contains all of it. */
export const textInFiles = (
  row: RowScope,
  { pattern }: Extract<Condition, { readonly kind: "search" }>,
): readonly SQL[] => filesIn(row, (visible) => or(...visible.map((column) => hasText(pattern)(sql`${column}`))));
