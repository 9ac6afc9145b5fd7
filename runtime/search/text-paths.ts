/**
 * SQL/JSON paths to the text in the JSON of components, dynamic zones and blocks, for attributes that the caller may
 * see.
 */
import { type SQL, sql } from "drizzle-orm";
import { formOf, type ScalarType } from "../base/scalar-form.ts";

/** A member of a content type or component, reduced to what a search needs. */
export interface SearchedMember<Uid extends string = `${string}.${string}`> {
  readonly kind: "scalar" | "component" | "zone" | "relation" | "absent";
  readonly name: string;
  readonly hidden: boolean;
  readonly secret?: boolean;
  readonly searchable?: boolean;
  /** Whether it is declared so that anyone may find it. */
  readonly indexed?: boolean;
  readonly type?: ScalarType;
  readonly component?: Uid;
  readonly components?: readonly Uid[];
}

/** The members of a component. */
export type MembersOf<Uid extends string = `${string}.${string}`> = (uid: Uid) => Iterable<SearchedMember<Uid>>;

/** The paths to texts, to numbers, and to blocks, whose texts are joined. */
export interface TextPaths {
  readonly text: string[];
  readonly number: string[];
  readonly blocks: string[];
}

/** The maximum number of paths in one attribute: components may nest in very many ways. */
const MOST = 500;

/** Whether the caller may find documents by a member. */
export const isSearched = ({ hidden, secret, searchable }: SearchedMember<string>): boolean =>
  !hidden && secret !== true && searchable !== false;

/** A name as a path member. */
const quoted = (name: string): string => {
  if (!/^[\p{L}\p{M}\p{N}_.-]+$/u.test(name)) throw new Error(`Not a declared name: ${name}`);
  return `"${name}"`;
};

const addScalar = (paths: TextPaths, type: ScalarType | undefined, path: string): void => {
  if (type === "blocks") return void paths.blocks.push(path);
  const form = type === undefined ? "json" : formOf(type);
  if (form === "text") paths.text.push(path);
  if (form === "integer" || form === "number" || form === "decimal" || form === "digits") paths.number.push(path);
};

interface Pending<Uid extends string> {
  readonly member: SearchedMember<Uid>;
  readonly path: string;
  readonly outer: readonly Uid[];
}

/**
 * The searchable paths in the JSON of one attribute, outer ones first, because their number is limited. A component
 * that contains itself is entered once.
 */
export const textPathsOf = <Uid extends string>(
  attribute: SearchedMember<Uid>,
  membersOf: MembersOf<Uid>,
  includes: (member: SearchedMember<Uid>) => boolean = isSearched,
): TextPaths => {
  const paths: TextPaths = { text: [], number: [], blocks: [] };
  const pending: Pending<Uid>[] = [{ member: attribute, path: "$", outer: [] }];
  const addEntries = (uid: Uid, path: string, outer: readonly Uid[]): void => {
    if (outer.includes(uid) || pending.length > 10 * MOST) return;
    for (const member of membersOf(uid))
      pending.push({ member, path: `${path}.${quoted(member.name)}`, outer: [...outer, uid] });
  };
  for (const { member, path, outer } of pending) {
    const { kind, name, type, component, components = [] } = member;
    if (!includes(member) || name === "id") continue;
    if (kind === "scalar") addScalar(paths, type, path);
    if (paths.text.length + paths.number.length + paths.blocks.length === MOST) break;
    if (component !== undefined) addEntries(component, path, outer);
    for (const uid of components) addEntries(uid, `${path} ? (@."__component" == ${quoted(uid)})`, outer);
  }
  return paths;
};

/** Whether a member has text, or components with text. */
const hasText = ({ kind, type }: SearchedMember<string>): boolean =>
  kind === "component" || kind === "zone" || type === "blocks" || (type !== undefined && formOf(type) === "text");

/** The attributes that a search reads: those of a type with the names, and those in their components. */
export const textsRead = <Owner extends string>(
  owner: Owner,
  names: readonly string[],
  membersOf: (uid: Owner) => ReadonlyMap<string, SearchedMember<Owner>>,
): readonly { readonly uid: Owner; readonly name: string }[] => {
  const read = names.map((name) => ({ uid: owner, name }));
  const entered = new Set<Owner>();
  for (const { uid, name } of read) {
    const { component, components = [] } = membersOf(uid).get(name) ?? {};
    for (const inner of component === undefined ? components : [component]) {
      if (entered.has(inner)) continue;
      entered.add(inner);
      const members = [...membersOf(inner).values()].filter((member) => isSearched(member) && hasText(member));
      read.push(...members.map((member) => ({ uid: inner, name: member.name })));
    }
  }
  return read;
};

/** The paths to what full-text search reads in one attribute: texts, and blocks. */
export const wordPathsOf = <Uid extends string>(
  ...attribute: Parameters<typeof textPathsOf<Uid>>
): readonly string[] => {
  const { text, blocks } = textPathsOf(...attribute);
  return [...text, ...blocks];
};

/** Nodes of blocks with text or links directly below them: their texts make one line. */
const LINES = `strict $.** ? (@.type != "link" && exists(@.children[*] ? (@.type == "text" || @.type == "link")))`;
const TEXTS = `strict $.** ? (@.type == "text").text`;

const found = (json: SQL, paths: readonly string[]): SQL => {
  const list = sql.join(
    paths.map((path) => sql.raw(`'${path}'`)),
    sql`, `,
  );
  return sql`unnest(array[${list}]::jsonpath[]) as path, jsonb_path_query(${json}, path) as found`;
};

/** Whether a value at one of the paths matches; undefined if there are no paths. */
export const matchesIn = (
  json: SQL,
  { text, number, blocks }: TextPaths,
  numbers: boolean,
  matches: (text: SQL) => SQL,
): SQL[] => {
  const values = numbers ? [...text, ...number] : text;
  const line = sql`(select string_agg(part #>> '{}', '') from jsonb_path_query(line, ${sql.raw(`'${TEXTS}'`)}) as part)`;
  return [
    ...(values.length === 0
      ? []
      : [sql`exists (select 1 from ${found(json, values)} where ${matches(sql`(found #>> '{}')`)})`]),
    ...(blocks.length === 0
      ? []
      : [
          sql`exists (select 1 from ${found(json, blocks)}, jsonb_path_query(found, ${sql.raw(`'${LINES}'`)}) as line where ${matches(line)})`,
        ]),
  ];
};
