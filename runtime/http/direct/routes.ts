/** Finds the routes that can be answered without Hono: those where no middleware or handler of the application runs. */
import { actionOfHandler } from "../rest/can.ts";
import { type Reading, readingOfHandler } from "../rest/read-request.ts";
import type { Router } from "../rest/router.ts";

export type Route = Router["routes"][number];

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

export const segmentsOf = (path: string): readonly string[] => path.split("/").slice(1);

/**
 * Whether a path could match both patterns. Patterns with more than names and parameters are taken to match anything.
 */
export const overlap = (one: readonly string[], other: readonly string[]): boolean => {
  for (const [index, pattern] of other.entries()) {
    const own = one[index];
    if (own === pattern) continue;
    if (/[*{?]/.test(pattern)) return true;
    if (own === undefined) return false;
    if (!own.startsWith(":") && !pattern.startsWith(":")) return false;
  }
  return one.length === other.length;
};

/** A route that could answer a read, with the segments of its path. */
interface Other {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** Methods of Hono's routes that a GET request can lead to. */
const READS: ReadonlySet<string> = new Set(["GET", "ALL"]);

const NAMES = 2;

/** How a path starts, if it starts with names; most paths differ in that, and need not be compared. */
const startOf = (segments: readonly string[]): string | undefined => {
  const start = segments.slice(0, NAMES).join("/");
  return segments.length < NAMES || /[:*{?]/.test(start) ? undefined : start;
};

/** Those of `routes` that could overlap with a path. */
const byStart = (routes: readonly Route[]): ((own: readonly string[]) => readonly Other[]) => {
  const all = routes.map((route) => ({ route, segments: segmentsOf(route.path) }));
  const open: Other[] = [];
  const named = new Map<string, Other[]>();
  for (const other of all) {
    const start = startOf(other.segments);
    const alike = start === undefined ? open : (named.get(start) ?? []);
    alike.push(other);
    if (start !== undefined) named.set(start, alike);
  }
  return (own) => {
    const start = startOf(own);
    return start === undefined ? all : [...open, ...(named.get(start) ?? [])];
  };
};

interface Candidate extends DirectRoute {
  /** Last segments that are fixed names of other routes, so that they are not documentIds of this route. */
  readonly taken: ReadonlySet<string>;
}

/** The route with all other handlers that run on its path; undefined if one of them is not known. */
const candidate = (route: Route, reading: Reading, others: readonly Other[]): Candidate | undefined => {
  const own = segmentsOf(route.path);
  const actions: string[] = [];
  const taken = new Set<string>();
  for (const { route: other, segments } of others) {
    if (other === route || !overlap(own, segments)) continue;
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

export const isPlainTarget = (target: string): boolean => PLAIN.test(target);

/** Finds the route for a request's target; undefined if Hono has to handle it. */
export type FindRoute = (target: string) => Found | undefined;

/**
 * Looks through the routes of a finished application.
 *
 * @param isFrame whether a handler is one of those that run around every route, and are ours
 */
export const directRoutes = (routes: readonly Route[], isFrame: (handler: object) => boolean): FindRoute => {
  const others = byStart(routes.filter(({ method, handler }) => READS.has(method) && !isFrame(handler)));
  const whole = new Map<string, Candidate>();
  const documents = new Map<string, Candidate>();
  for (const route of routes) {
    const reading = route.method === "GET" ? readingOfHandler(route.handler) : undefined;
    const found = reading && candidate(route, reading, others(segmentsOf(route.path)));
    if (!found) continue;
    if (!route.path.includes(":")) whole.set(route.path, found);
    else if (route.path.indexOf(":") === route.path.length - PARAMETER.length + 1 && route.path.endsWith(PARAMETER))
      documents.set(route.path.slice(0, -PARAMETER.length), found);
  }
  return (target) => {
    if (!isPlainTarget(target)) return undefined;
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
