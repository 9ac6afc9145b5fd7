/** Matches paths in any letter case and with trailing slashes, as clients may write them. */
import type { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { BadRequestError } from "../../base/errors.ts";
import type { AppEnv } from "../context.ts";

interface Segment {
  /** Child segments by their text in lower case. */
  readonly fixed: Map<string, { readonly text: string; readonly next: Segment }>;
  parameter?: Segment;
}

const segment = (): Segment => ({ fixed: new Map() });

const addPath = (root: Segment, path: string): void => {
  let at = root;
  for (const text of path.split("/").slice(1)) {
    if (text.includes("*")) return;
    if (text.startsWith(":")) at = at.parameter ??= segment();
    else {
      const known = at.fixed.get(text.toLowerCase()) ?? { text, next: segment() };
      at.fixed.set(text.toLowerCase(), known);
      at = known.next;
    }
  }
};

const canonical = (root: Segment, path: string): string => {
  let at: Segment | undefined = root;
  const texts = path.split("/").slice(1);
  return texts.reduce((result, text) => {
    const known = at?.fixed.get(text.toLowerCase());
    at = known ? known.next : at?.parameter;
    return `${result}/${known ? known.text : text}`;
  }, "");
};

/** Throws a 400 for an address whose path has a `%` that does not begin an encoded character. */
export const demandDecodable = (url: string): void => {
  const [path = ""] = url.split("?", 1);
  if (!path.includes("%")) return;
  try {
    decodeURIComponent(path);
  } catch {
    throw new BadRequestError("The path cannot be decoded: a % is encoded as %25", null);
  }
};

/**
 * Creates the reader that turns `/API/Tags/` into `/api/tags`. Parameters keep their letter case. Nearly all paths are
 * in lower case and have no trailing slash; for these it costs only one test.
 */
export const createPathReader = () => {
  const root = segment();
  let unusual = /[A-Z]|.\/$/;
  return {
    /** The path of a request, with its fixed segments written as they were declared. */
    read(request: Request): string {
      const path = getPath(request);
      if (!unusual.test(path)) return path;
      return canonical(root, path.replace(/(?<=.)\/$/, ""));
    },
    /** Collects the routes of a finished application. */
    learn(app: Hono<AppEnv>): void {
      const paths = app.routes.filter(({ path }) => !path.endsWith("*")).map(({ path }) => path);
      for (const path of paths) addPath(root, path);
      // A route declared with capitals must also be found by a path in lower case, so every path has to be looked up.
      if (paths.some((path) => path.split("/").some((text) => !text.startsWith(":") && /[A-Z]/.test(text))))
        unusual = /^/;
    },
  };
};
