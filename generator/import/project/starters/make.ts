/** All starters of a project. */
import path from "node:path";
import { z } from "zod";
import type { StrapiProject } from "../project.ts";
import { attributesOf, type SchemaCopy } from "../schemas.ts";
import { controllerPieces } from "./controllers.ts";
import { generatedRoutes } from "./generated-routes.ts";
import { lifecyclePieces } from "./lifecycles.ts";
import type { Piece } from "./piece.ts";
import { policyPieces } from "./policies.ts";
import type { Schemas } from "./populate.ts";
import { starterTexts } from "./print.ts";
import { routePieces } from "./routes.ts";
import { startingPieces } from "./starting.ts";
import { taskPieces } from "./tasks.ts";

export type Starters = ReturnType<typeof makeStarters>;

const schemasOf = (copies: readonly SchemaCopy[]): Schemas => ({
  types: new Map(copies.flatMap(({ uid, json }) => (uid === undefined ? [] : [[uid, attributesOf(json)] as const]))),
  components: new Map(
    copies.flatMap(({ uid, to, json }) => {
      const [, category, name] = /^components\/([^/]+)\/([^/]+)\.json$/.exec(to) ?? [];
      return uid === undefined && name !== undefined ? [[`${category}.${name}`, attributesOf(json)] as const] : [];
    }),
  ),
});

const single = z.looseObject({ kind: z.literal("singleType") });

const OF_ROUTES: ReadonlySet<string> = new Set(["queries", "policies"]);

/** Users are a type of the project as well, wherever their schema file is. */
const USERS = "plugin::users-permissions.user";

/** Single types have fewer routes: a starter for a missing one would keep the server from starting. */
const isOfRoute = (singles: ReadonlySet<string>, { uid, section, key }: Piece): boolean => {
  if (uid === undefined || !singles.has(uid) || !OF_ROUTES.has(section)) return true;
  return key === "find" || (section === "policies" && (key === "update" || key === "delete"));
};

/** @param source the folder of the schema files, relative to the root */
export const makeStarters = (project: StrapiProject, copies: readonly SchemaCopy[], source: string) => {
  const schemas = schemasOf(copies);
  const uids = new Set([...schemas.types.keys()].filter((uid) => uid.startsWith("api::")));
  const singles = new Set(
    copies.flatMap(({ uid, json }) => (uid !== undefined && single.safeParse(json).success ? [uid] : [])),
  );
  const folders = new Map(copies.flatMap(({ uid, to }) => (uid === undefined ? [] : [[uid, path.posix.dirname(to)]])));
  const generated = generatedRoutes(copies);
  const policies = policyPieces(project, uids, generated);
  const pieces = [
    ...lifecyclePieces(project, folders.has(USERS) ? new Set([...uids, USERS]) : uids),
    ...controllerPieces(project, schemas),
    ...policies.pieces,
    ...routePieces(project, uids, generated),
    ...startingPieces(project),
    ...taskPieces(project),
  ].filter((piece) => isOfRoute(singles, piece));
  return {
    files: starterTexts(pieces, (uid) => `${source}/${folders.get(uid)}`, source),
    modules: policies.modules,
  };
};
