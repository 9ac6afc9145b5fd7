/** What is hidden in the content of these tests: two worlds that differ in nothing else, and every place to look for it. */
import type { Database } from "../../../runtime/database/database.ts";
import type { Attribute, ContentType, Field } from "../../../runtime/schema/content-type.ts";
import { freshDatabase } from "../../support/database.ts";
import { application, article, author, category, comment } from "./content.ts";
import { seed } from "./seed.ts";
import { createWorld, type World } from "./world.ts";

/** Every hidden value holds one of these, so that it cannot appear in an answer unseen. */
export const MARKS = ["HIDDEN-ONE", "HIDDEN-TWO"] as const;

/** Gives everything that nobody may see its values of one of two worlds. */
export const hide = async (database: Database, mark: string, other: boolean): Promise<void> => {
  const number = other ? 2 : 1;
  // In one world it rises with the rows, in the other it falls: whoever sorts by it tells them apart.
  const text = `'${mark} ' || ${other ? "id" : "1000 - id"}`;
  const replaced = (text: string) => `replace(replace(${text}::text, '"/', '"${mark}/'), '"me"', '"${mark}"')::json`;
  await database.script(`
    update articles set secret = ${text}, pin = '${mark}', hidden_cover_id = ${number},
      ghost_document_id = '${other ? "bob" : "ann"}',
      secret_seo = '{"id":90,"title":"${mark}","image":${number},"topics":["${other ? "leaf" : "root"}"]}',
      seo = replace(${replaced("seo")}::text, '"k"', '"${mark}"')::json,
      links = ${replaced("links")}, sections = ${replaced("sections")};
    update authors set token = ${text};
    update categories set code = ${text};
    update vaults set name = ${text};
    delete from articles_vaults where ${other};
    insert into articles_hidden (version_id, document_id, position)
      select id, '${other ? "leaf" : "root"}', 1 from articles;
  `);
};

const build = async (mark: string, other: boolean): Promise<World> => {
  const world = await createWorld(await freshDatabase("postgres"));
  await seed(world.database);
  await hide(world.database, mark, other);
  return world;
};

/** Two databases that differ in nothing but what is hidden. */
export const hidingWorlds = async (): Promise<readonly World[]> => [
  await build(MARKS[0], false),
  await build(MARKS[1], true),
];

/** An attribute that must not show. */
export interface Target {
  readonly type: ContentType;
  /** Attributes that lead to the owner of the hidden one. */
  readonly path: readonly string[];
  readonly name: string;
  /** A relation that the caller may not find, which populate leaves out instead of refusing it. */
  readonly forbidden: boolean;
}

const DEPTH = 3;

const attributesOf = (owner: { readonly attributes: object }): [string, Attribute | Field][] =>
  Object.entries(owner.attributes);

const isHidden = (attribute: Attribute | Field): boolean => attribute.private === true || attribute.type === "password";

const isForbidden = (attribute: Attribute | Field): boolean =>
  attribute.type === "relation" && "target" in attribute && attribute.target === "api::vault.vault";

const ownerBehind = (attribute: Attribute | Field): { readonly attributes: object } | undefined => {
  if (attribute.type === "component") return application.components[attribute.component]?.component;
  if (attribute.type !== "relation" || !("target" in attribute) || attribute.target === undefined) return undefined;
  return application.contentTypes[attribute.target]?.type;
};

const targetsIn = (type: ContentType, owner: { readonly attributes: object }, path: readonly string[]): Target[] => {
  const system = ["createdBy", "updatedBy"].map((name) => ({ type, path, name, forbidden: false }));
  const inner = attributesOf(owner).flatMap(([name, attribute]): Target[] => {
    if (isHidden(attribute)) return [{ type, path, name, forbidden: false }];
    if (isForbidden(attribute)) return [{ type, path, name, forbidden: true }];
    const behind = ownerBehind(attribute);
    return behind === undefined || path.length >= DEPTH - 1 ? [] : targetsIn(type, behind, [...path, name]);
  });
  return "uid" in owner && String(owner.uid).includes("::") ? [...system, ...inner] : inner;
};

/** Every such attribute, on every way to it. */
export const targets = [article, author, category, comment].flatMap((type) => targetsIn(type, type, []));

/** The value below the names of a path. */
export const nest = (path: readonly string[], value: unknown): unknown =>
  path.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), value);
