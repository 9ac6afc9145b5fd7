/** Routes of the project's own. Until implemented they answer permitted clients with 501. */
import { isCode } from "../code/parse.ts";
import { type OwnRoute, routesOf } from "../code/routes.ts";
import { isLiteral, memberAt } from "../code/value-type.ts";
import type { StrapiProject } from "../project.ts";
import type { GeneratedRoute } from "./generated-routes.ts";
import type { Piece } from "./piece.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** Paths that are equivalent here: without patterns, and without a prefix of their own. */
const PLAIN = /^(?:\/(?::\w+|[\w.-]+))+$/;

const segmentsOf = (path: string): readonly string[] => path.split("/").slice(1);

const covers = (own: string, generated: string): boolean => own.startsWith(":") || own === generated;

/** Whether a route would shadow a generated one. */
const hides = ({ method, path }: OwnRoute, generated: GeneratedRoute): boolean => {
  const own = segmentsOf(path);
  const other = segmentsOf(generated.path);
  return (
    method === generated.method &&
    own.length === other.length &&
    own.every((segment, index) => covers(segment, other[index] ?? ""))
  );
};

/** `article.archive` of an API means `api::article.article.archive`. */
export const actionOf = (api: string, handler: string): string =>
  handler.startsWith("api::") ? handler : `api::${api}.${handler}`;

const isOpen = ({ config }: OwnRoute): boolean => isLiteral(memberAt(config, ["auth"]), false);

const codeOf = (route: OwnRoute, action: string): string => {
  const { method, path } = route;
  const check = isOpen(route) ? "everyone()" : `can(${JSON.stringify(action)})`;
  const text = JSON.stringify(`${method} ${path} is not written yet`);
  return `router.${method.toLowerCase()}(${JSON.stringify(path)}, ${check}, (c) => c.text(${text}, 501))`;
};

const ACTION = /^api::[\w-]+\.[\w-]+\.\w+$/;

/**
 * A route for each one that shadows no generated route, in the extension of the type named like its API, or of any type
 * of the API.
 *
 * @param generated the existing routes
 */
export const routePieces = (
  { files, reader }: StrapiProject,
  uids: ReadonlySet<string>,
  generated: readonly GeneratedRoute[],
): readonly Piece[] =>
  files.filter(isCode).flatMap((file) => {
    const [, api] = /^src\/api\/([^/]+)\/routes\//.exec(file) ?? [];
    if (api === undefined) return [];
    const own = [...uids].filter((uid) => uid.startsWith(`api::${api}.`));
    const uid = own.find((each) => each === `api::${api}.${api}`) ?? own[0];
    if (uid === undefined) return [];
    return routesOf(reader, file).own.flatMap((route): readonly Piece[] => {
      const action = actionOf(api, route.handler);
      const isKnown = METHODS.has(route.method) && PLAIN.test(route.path) && ACTION.test(action);
      if (!isKnown || generated.some((each) => hides(route, each))) return [];
      return [
        {
          uid,
          section: "routes",
          key: `${route.method} ${route.path}`,
          code: codeOf(route, action),
          at: route.at,
          original: route.text,
          remark: isOpen(route) ? "Answers 501 until it is written." : "Answers 501 until it is written, to who may.",
          needs: [isOpen(route) ? "everyone" : "can"],
        },
      ];
    });
  });
