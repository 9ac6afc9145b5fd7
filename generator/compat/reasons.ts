/** The most likely reasons for differences, and the settings that remove them. */
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

const messageOf = ({ body }: Answer): string => {
  if (!isRecord(body)) return "";
  const { error, errors } = body;
  const [first] = Array.isArray(errors) ? errors : [];
  const holder: unknown = error ?? first;
  return isRecord(holder) && typeof holder["message"] === "string" ? holder["message"] : "";
};

/** A log may contain addresses that cannot be decoded. */
const pathOf = ({ request }: Case): string => {
  const name = nameOf(request);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** Whether a reason applies: by the two statuses if they differ, else by the difference. */
interface Rule<Arguments extends readonly unknown[]> {
  readonly reason: string;
  readonly setting?: string;
  readonly fits: (...given: Arguments) => boolean;
}

const asksDrafts = (found: Case): boolean => /[?&]status=draft|publicationState|PREVIEW|DRAFT/.test(pathOf(found));

const isGraphql = ({ request }: Case): boolean => request.kind === "graphql";

/** Whether the shorter of two lists has a length to which a setting may have limited it. */
const isPageSize = ({ theirs, ours }: Difference): boolean => {
  const length = Math.min(Number(theirs), Number(ours));
  return length >= 10 && length % 5 === 0;
};

const isForbidden = (status: number): boolean => status === 401 || status === 403;

/** The limit of this server that a refusal names. */
const limitIn = ({ ours }: Case): string | undefined =>
  /\b(?:limits|rest|graphql|server|media)\.\w+/.exec(messageOf(ours))?.[0];

const ofStatus: readonly Rule<[theirs: number, ours: number, found: Case]>[] = [
  {
    reason: "neither of the two answered, or not in a way that can be compared",
    fits: (theirs, ours) => theirs === 0 && ours === 0,
  },
  { reason: "this server did not answer", fits: (_, ours) => ours === 0 },
  { reason: "the other server did not answer", fits: (theirs) => theirs === 0 },
  {
    reason: "who may find may not read drafts here",
    setting: 'rest.drafts: "find", or the permission readDraft',
    fits: (theirs, ours, found) => theirs < 400 && isForbidden(ours) && asksDrafts(found),
  },
  {
    reason: "the caller may not do this here",
    setting: "permissions, or another --own-token",
    fits: (theirs, ours) => theirs < 400 && isForbidden(ours),
  },
  {
    reason: "the caller may not do this there",
    setting: "permissions, or another --token",
    fits: (theirs, ours) => isForbidden(theirs) && ours < 400,
  },
  {
    reason: "parameters that are not known, or not valid, are refused here",
    setting: "rest.strictParams: false",
    fits: (theirs, ours, found) =>
      theirs < 400 && ours === 400 && /^Invalid (?:key|parameter)/.test(messageOf(found.ours)),
  },
  {
    reason: "parameters that are not known, or not valid, are refused there",
    setting: "rest.strictParams: true",
    fits: (theirs, ours, found) => !isGraphql(found) && theirs === 400 && ours < 400,
  },
  {
    reason: "the query fits the schema of one of the two only",
    setting: "graphql.format, register of app.ts",
    fits: (theirs, ours, found) => isGraphql(found) && (theirs === 400) !== (ours === 400),
  },
  {
    reason: "there is no such route or document here",
    setting: "routes of extension.ts (IMPORT.md), or cms import",
    fits: (theirs, ours) => theirs < 400 && ours === 404,
  },
  { reason: "there is no such route or document there", fits: (theirs, ours) => theirs === 404 && ours < 400 },
];

const ofBodies: readonly Rule<[difference: Difference, found: Case]>[] = [
  {
    reason: "pages have other sizes",
    setting: "rest.defaultLimit, rest.maxLimit",
    fits: ({ at }) => /(?:pagination|pageInfo)\.(?:pageSize|limit)$/.test(at),
  },
  {
    reason: "there are more, or fewer, documents",
    setting: "cms import, locales.codes, rest.withCount",
    fits: ({ at }) => /(?:pagination|pageInfo)\.(?:total|pageCount)$/.test(at),
  },
  {
    reason: "it is deeper than may be asked for here",
    setting: "graphql.depthLimit",
    fits: ({ at }, found) => isGraphql(found) && /^errors|^data$/.test(at) && /depth/.test(messageOf(found.ours)),
  },
  {
    reason: "lists have other lengths",
    setting: "graphql.defaultLimit, graphql.amountLimit, cms import",
    fits: (difference, found) =>
      isGraphql(found) && difference.kind === "length" && difference.at.startsWith("data") && isPageSize(difference),
  },
  {
    reason: "the query is answered by one of the two only",
    setting: "graphql.format, permissions, IMPORT.md",
    fits: ({ at }, found) => isGraphql(found) && at.startsWith("errors"),
  },
  {
    reason: "an attribute or relation is not shown here",
    setting: "rest.privateAttributes, fields, permissions, the schema",
    fits: ({ kind }) => kind === "missing",
  },
  {
    reason: "an attribute or relation is not shown there",
    setting: "private in the schema, fields",
    fits: ({ kind }) => kind === "added",
  },
  { reason: "documents come in another order", fits: ({ kind }) => kind === "order" },
  {
    reason: "lists have other lengths",
    setting: "cms import, rest.drafts, locales.codes",
    fits: ({ kind }) => kind === "length",
  },
];

const LAST: Reason = { reason: "values differ", setting: "cms import" };

const plain = ({ reason, setting }: Reason): Reason => ({ reason, ...(setting !== undefined && { setting }) });

/** The first reason that applies; there is one for every difference. */
export const reasonFor = (found: Case): Reason => {
  const { difference, theirs, ours } = found;
  const setting = limitIn(found);
  if (difference.kind !== "status") return plain(ofBodies.find(({ fits }) => fits(difference, found)) ?? LAST);
  if (theirs.status !== 0 && ours.status >= 400 && setting !== undefined)
    return { reason: "it asks for more than may be asked for here", setting };
  const known = ofStatus.find(({ fits }) => fits(theirs.status, ours.status, found));
  return plain(known ?? { reason: `the other server answers ${theirs.status}, this one ${ours.status}` });
};
