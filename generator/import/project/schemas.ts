/** Schema files of the project, and their destinations. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "../../base/json.ts";
import { type Finding, finding } from "./findings/finding.ts";
import type { StrapiProject } from "./project.ts";
import { isTooLarge } from "./walk.ts";

const TYPE = /^src\/(api|extensions)\/([^/]+)\/content-types\/([^/]+)\/schema\.json$/;
const COMPONENT = /^src\/components\/([^/]+)\/([^/]+)\.json$/;

/** Whether a project path is a schema file's. */
export const isSchemaFile = (file: string): boolean => TYPE.test(file) || COMPONENT.test(file);

/** Types that extend those of plugins which exist here. */
const EXTENDED: ReadonlySet<string> = new Set(["users-permissions"]);

export type SchemaCopy = ReturnType<typeof readSchemas>["copies"][number];

type TypePlace = ReturnType<typeof typesIn>[number];

const typesIn = (files: readonly string[]) =>
  files.flatMap((from) => {
    const [, folder = "", owner = "", type = ""] = TYPE.exec(from) ?? [];
    const isTaken = folder === "api" || EXTENDED.has(owner);
    return type !== "" && isTaken ? [{ from, folder, owner, type }] : [];
  });

/**
 * The destination of files: each type gets a folder with its name. If an API has types with other names, the folders
 * stay as they are in Strapi, because uids derive from them.
 */
const destination = (types: readonly TypePlace[]): ((place: TypePlace) => string) => {
  const isPlain = types.every(({ folder, owner, type }) => folder !== "api" || owner === type);
  return ({ folder, owner, type, from }) => {
    if (!isPlain) return from.slice("src/".length);
    return folder === "api" ? `${type}/schema.json` : `${owner}/${type}/schema.json`;
  };
};

/** The schema files to import, byte for byte, and those that are not imported. */
export const readSchemas = ({ root, files }: StrapiProject) => {
  const types = typesIn(files);
  const placeFor = destination(types);
  const left: Finding[] = [];
  // `to` is relative to the folder of the schema files, `uid` is undefined for components, `json` if it is not JSON.
  const copy = (from: string, to: string, uid: string | undefined) => {
    if (isTooLarge(path.join(root, from))) {
      left.push(finding("unread", "a schema file that is too large", from));
      return [];
    }
    const bytes = readFileSync(path.join(root, from));
    return [{ from, to, uid, bytes, json: parseJson(bytes.toString("utf8").replace(/^\u{FEFF}/u, "")) }];
  };
  const copies = [
    ...types.flatMap((place) =>
      copy(place.from, placeFor(place), `${place.folder === "api" ? "api" : "plugin"}::${place.owner}.${place.type}`),
    ),
    ...files.flatMap((from) => (COMPONENT.test(from) ? copy(from, from.slice("src/".length), undefined) : [])),
  ];
  for (const file of files) {
    const [, folder, owner] = TYPE.exec(file) ?? [];
    if (folder !== "extensions" || EXTENDED.has(owner ?? "")) continue;
    const name = `the content type of ${owner} that this schema file changes`;
    left.push(finding("extension", name, file, "there is no such type here"));
  }
  return { copies, left };
};

const shape = z.looseObject({ attributes: z.record(z.string(), z.looseObject({ type: z.unknown() })) });

/** The attributes of a schema, by name; none if it is not a schema. */
export const attributesOf = (json: unknown): ReadonlyMap<string, Readonly<Record<string, unknown>>> => {
  const found = shape.safeParse(json);
  return new Map(found.success ? Object.entries(found.data.attributes) : []);
};
