/** Finds the routes that can be answered without Hono: those where no middleware or handler of the application runs. */
import { actionOfHandler } from "../rest/can.ts";
import { type Reading, readingOfHandler } from "../rest/read-request.ts";
import type { Router } from "../rest/router.ts";

type Route = Router["routes"][number];

/** A route that reads, and the actions that its caller must be allowed. */
export interface DirectRoute {
  readonly reading: Reading;
  readonly actions: readonly string[];
}

/** The route that a request's target leads to. */
export interface Found extends DirectRoute {
  readonly documentId: string;
  readonly query: string;
}

const PARAMETER = "/:documentId";

const segmentsOf = (path: string): readonly string[] => path.split("/").slice(1);

/**
 * Whether a path could match both patterns. Patterns with more than names and parameters are taken to match anything.
 */
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
  /** Last segments that are fixed names of other routes, so that they are not documentIds of this route. */
  readonly taken: ReadonlySet<string>;
}

/** The route with all other handlers that run on its path; undefined if one of them is not known. */
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
 * Targets that match routes exactly as they are written: without escapes, capitals, or anything that the URL parser
 * would change. Hono handles all other targets.
 */
const PLAIN = /^\/[a-z0-9/_-]+(?:\?[\w!$%&()*+,\-./:;=?@[\]~]*)?$/;

/** Finds the route for a request's target; undefined if Hono has to handle it. */
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
