/** Why answers differ, most likely, and the setting that changes it. */
import { isRecord } from "../../runtime/base/is-record.ts";
import type { Answer } from "./ask.ts";
import type { Difference } from "./compare.ts";
import { type CompatRequest, nameOf } from "./request.ts";

export interface Reason {
  readonly reason: string;
  /** The key of `cms.config.ts`, or what else to change. */
  readonly setting?: string;
}

interface Case {
  readonly request: CompatRequest;
  readonly difference: Difference;
  readonly theirs: Answer;
  readonly ours: Answer;
}

type Rule = (found: Case) => Reason | undefined;

const messageOf = ({ body }: Answer): string => {
  if (!isRecord(body)) return "";
  const { error, errors } = body;
  const [first] = Array.isArray(errors) ? errors : [];
  const holder: unknown = error ?? first;
  return isRecord(holder) && typeof holder["message"] === "string" ? holder["message"] : "";
};

/** Somebody's log may hold addresses that are no text. */
const pathOf = ({ request }: Case): string => {
  const name = nameOf(request);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

const asksDrafts = (found: Case): boolean => /[?&]status=draft|publicationState|PREVIEW|DRAFT/.test(pathOf(found));

const status =
  (test: (theirs: number, ours: number, found: Case) => Reason | undefined): Rule =>
  (found) =>
    found.difference.kind === "status" ? test(found.theirs.status, found.ours.status, found) : undefined;

/** Whether the shorter of two lists has a length that a setting may have cut it to. */
const isPageSize = (theirs: unknown, ours: unknown): boolean => {
  const length = Math.min(Number(theirs), Number(ours));
  return length >= 10 && length % 5 === 0;
};

const FORBIDDEN: ReadonlySet<number> = new Set([401, 403]);

const rules: readonly Rule[] = [
  status((theirs, ours) =>
    theirs === 0 && ours === 0
      ? { reason: "neither of the two answered, or not in a way that can be compared" }
      : undefined,
  ),
  status((theirs, ours) =>
    theirs === 0 || ours === 0
      ? { reason: `${ours === 0 ? "this server" : "the other server"} did not answer` }
      : undefined,
  ),
  status((_, ours, found) => {
    const [key] = /\b(?:limits|rest|graphql|server|media)\.\w+/.exec(messageOf(found.ours)) ?? [];
    return ours >= 400 && key ? { reason: "it asks for more than may be asked for here", setting: key } : undefined;
  }),
  status((theirs, ours, found) =>
    theirs < 400 && FORBIDDEN.has(ours) && asksDrafts(found)
      ? { reason: "who may find may not read drafts here", setting: 'rest.drafts: "find", or the permission readDraft' }
      : undefined,
  ),
  status((theirs, ours) =>
    theirs < 400 && FORBIDDEN.has(ours)
      ? { reason: "the caller may not do this here", setting: "permissions, or another --own-token" }
      : undefined,
  ),
  status((theirs, ours) =>
    FORBIDDEN.has(theirs) && ours < 400
      ? { reason: "the caller may not do this there", setting: "permissions, or another --token" }
      : undefined,
  ),
  status((theirs, ours, found) =>
    theirs < 400 && ours === 400 && /^Invalid (?:key|parameter)/.test(messageOf(found.ours))
      ? { reason: "parameters that are not known, or not valid, are refused here", setting: "rest.strictParams: false" }
      : undefined,
  ),
  status((theirs, ours, { request }) =>
    request.kind === "rest" && theirs === 400 && ours < 400
      ? { reason: "parameters that are not known, or not valid, are refused there", setting: "rest.strictParams: true" }
      : undefined,
  ),
  status((theirs, ours, { request }) =>
    request.kind === "graphql" && (theirs === 400) !== (ours === 400)
      ? { reason: "the query fits the schema of one of the two only", setting: "graphql.format, register of app.ts" }
      : undefined,
  ),
  status((theirs, ours) =>
    theirs < 400 && ours === 404
      ? {
          reason: "there is no such route or document here",
          setting: "routes of extension.ts (IMPORT.md), or cms import",
        }
      : undefined,
  ),
  status((theirs, ours) =>
    theirs === 404 && ours < 400 ? { reason: "there is no such route or document there" } : undefined,
  ),
  ({ difference: { at } }) =>
    /(?:pagination|pageInfo)\.(?:pageSize|limit)$/.test(at)
      ? { reason: "pages have other sizes", setting: "rest.defaultLimit, rest.maxLimit" }
      : undefined,
  ({ difference: { at } }) =>
    /(?:pagination|pageInfo)\.(?:total|pageCount)$/.test(at)
      ? { reason: "there are more, or fewer, documents", setting: "cms import, locales.codes, rest.withCount" }
      : undefined,
  ({ request, difference: { at }, ours }) =>
    request.kind === "graphql" && /^errors|^data$/.test(at) && /depth/.test(messageOf(ours))
      ? { reason: "it is deeper than may be asked for here", setting: "graphql.depthLimit" }
      : undefined,
  ({ request, difference: { at, kind, theirs, ours } }) =>
    request.kind === "graphql" && kind === "length" && at.startsWith("data") && isPageSize(theirs, ours)
      ? { reason: "lists have other lengths", setting: "graphql.defaultLimit, graphql.amountLimit, cms import" }
      : undefined,
  ({ request, difference: { at } }) =>
    request.kind === "graphql" && at.startsWith("errors")
      ? { reason: "the query is answered by one of the two only", setting: "graphql.format, permissions, IMPORT.md" }
      : undefined,
  ({ difference: { kind } }) =>
    kind === "missing"
      ? {
          reason: "an attribute or relation is not shown here",
          setting: "rest.privateAttributes, fields, permissions, the schema",
        }
      : undefined,
  ({ difference: { kind } }) =>
    kind === "added"
      ? { reason: "an attribute or relation is not shown there", setting: "private in the schema, fields" }
      : undefined,
  ({ difference: { kind } }) => (kind === "order" ? { reason: "documents come in another order" } : undefined),
  ({ difference: { kind } }) =>
    kind === "length"
      ? { reason: "lists have other lengths", setting: "cms import, rest.drafts, locales.codes" }
      : undefined,
];

/** The first reason that fits; every difference has one. */
export const reasonFor = (found: Case): Reason => {
  for (const rule of rules) {
    const reason = rule(found);
    if (reason) return reason;
  }
  return found.difference.kind === "status"
    ? { reason: `the other server answers ${found.theirs.status}, this one ${found.ours.status}` }
    : { reason: "values differ", setting: "cms import" };
};
