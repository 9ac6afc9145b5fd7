/** Which routes can be answered without Hono: those where nothing but code of ours would run. */
import { actionOfHandler } from "../rest/can.ts";
import { type Reading, readingOfHandler } from "../rest/read-request.ts";
import type { Router } from "../rest/router.ts";

type Route = Router["routes"][number];

/** A route that reads, and what callers have to be allowed for it. */
export interface DirectRoute {
  readonly reading: Reading;
  readonly actions: readonly string[];
}

/** What the target of a request leads to. */
export interface Found extends DirectRoute {
  readonly documentId: string;
  readonly query: string;
}

const PARAMETER = "/:documentId";

const segmentsOf = (path: string): readonly string[] => path.split("/").slice(1);

/** Whether some path may be one of both. Patterns that are more than names and parameters may match anything. */
const overlap = (one: readonly string[], other: readonly string[]): boolean => {
  for (const [index, pattern] of other.entries()) {
    if (/[*{?]/.test(pattern)) return true;
    const own = one[index];
    if (own === undefined) return false;
    if (own !== pattern && !own.startsWith(":") && !pattern.startsWith(":")) return false;
  }
  return one.length === other.length;
};

interface Candidate extends DirectRoute {
  /** Names that stand where the parameter of the route does, and lead elsewhere. */
  readonly taken: ReadonlySet<string>;
}

/** What else runs where `route` does, if all of it is known. */
const candidate = (
  route: Route,
  reading: Reading,
  routes: readonly Route[],
  isFrame: (handler: object) => boolean,
): Candidate | undefined => {
  const own = segmentsOf(route.path);
  const actions: string[] = [];
  const taken = new Set<string>();
  for (const other of routes) {
    if (other === route || isFrame(other.handler) || (other.method !== "GET" && other.method !== "ALL")) continue;
    const segments = segmentsOf(other.path);
    if (!overlap(own, segments)) continue;
    const action = other.path === route.path ? actionOfHandler(other.handler) : undefined;
    const last = segments.at(-1) ?? "";
    if (action !== undefined) actions.push(action);
    else if (route.path.endsWith(PARAMETER) && !/[:*{?]/.test(last)) taken.add(last.toLowerCase());
    else return undefined;
  }
  return { reading, actions, taken };
};

/**
 * Targets that reach the routes as they are: nothing in them is escaped, in capitals, or written otherwise by a URL. The
 * rest is left to Hono, which takes more.
 */
const PLAIN = /^\/[a-z0-9/_-]+(?:\?[\w!$%&()*+,\-./:;=?@[\]~]*)?$/;

/** Finds what a target leads to; undefined where that is not for us to say. */
export type FindRoute = (target: string) => Found | undefined;

/**
 * Looks through the routes of a finished application.
 *
 * @param isFrame whether a handler is one of those that run around every route, and are ours
 */
export const directRoutes = (routes: readonly Route[], isFrame: (handler: object) => boolean): FindRoute => {
  const whole = new Map<string, Candidate>();
  const documents = new Map<string, Candidate>();
  for (const route of routes) {
    const reading = route.method === "GET" ? readingOfHandler(route.handler) : undefined;
    const found = reading && candidate(route, reading, routes, isFrame);
    if (!found) continue;
    if (!route.path.includes(":")) whole.set(route.path, found);
    else if (route.path.indexOf(":") === route.path.length - PARAMETER.length + 1 && route.path.endsWith(PARAMETER))
      documents.set(route.path.slice(0, -PARAMETER.length), found);
  }
  return (target) => {
    if (!PLAIN.test(target)) return undefined;
    const mark = target.indexOf("?");
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? "" : target.slice(mark + 1);
    const list = whole.get(path);
    if (list) return { reading: list.reading, actions: list.actions, documentId: "", query };
    const slash = path.lastIndexOf("/");
    const one = documents.get(path.slice(0, slash));
    const documentId = path.slice(slash + 1);
    if (!one || documentId === "" || one.taken.has(documentId)) return undefined;
    return { reading: one.reading, actions: one.actions, documentId, query };
  };
};
