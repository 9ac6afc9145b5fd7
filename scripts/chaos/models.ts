/** The server's promises about the workload's objects, as sequential models. */
import type { Model, Recorded } from "./linearizability.ts";

/** An operation's outcome: done, refused because its object does not exist, or unknown. */
export type Outcome = "done" | "missing" | "unknown";

/** One version of a document: the values of its draft and its published row, in one locale. */
export interface VersionOperation {
  readonly kind:
    | "put"
    | "save"
    | "publish"
    | "unpublish"
    | "discard"
    | "delete"
    /** Of the whole document, in all locales. */
    | "deleteAll"
    | "readDraft"
    | "readPublished";
  readonly outcome: Outcome;
  /** The value that `put` and `save` write, different for every write. */
  readonly value?: string;
  /** The value in the answer; null if the answer shows that there is none, undefined without an answer. */
  readonly seen?: string | null;
  /** Whether `put` and `save` create a missing version, as they do for another locale. */
  readonly creates?: boolean;
}

interface Version {
  readonly draft: string | null;
  readonly published: string | null;
}

/** A version of a fully deleted document: no write creates it again. */
const GONE = "gone";

const readVersion = (state: string): Version => {
  const [draft = "", published = ""] = state.split("/");
  return { draft: draft || null, published: published || null };
};

/** A version as a state of the model. */
export const versionState = (draft: string | null, published: string | null): string =>
  `${draft ?? ""}/${published ?? ""}`;

const agrees = (seen: string | null | undefined, value: string | null): boolean => seen === undefined || seen === value;

const applyToVersion = (state: string, operation: VersionOperation): string | undefined => {
  const { kind, outcome, seen, value = null } = operation;
  if (kind === "deleteAll") return GONE;
  if (state === GONE) return outcome === "missing" || kind === "delete" ? state : undefined;
  const { draft, published } = readVersion(state);
  if (kind === "readDraft") return seen === draft ? state : undefined;
  if (kind === "readPublished") return seen === published ? state : undefined;
  if (kind === "delete") return versionState(null, null);
  const exists = draft !== null || (operation.creates === true && value !== null);
  if (outcome === "missing") return exists && !(kind === "discard" && published === null) ? undefined : state;
  if (!exists) return undefined;
  switch (kind) {
    case "put":
      return agrees(seen, value) ? versionState(value, value) : undefined;
    case "save":
      return agrees(seen, value) ? versionState(value, published) : undefined;
    case "publish":
      return agrees(seen, draft) ? versionState(draft, draft) : undefined;
    case "unpublish":
      return agrees(seen, draft) ? versionState(draft, null) : undefined;
    case "discard":
      return published !== null && agrees(seen, published) ? versionState(published, published) : undefined;
  }
};

export const versionModel: Model<VersionOperation> = {
  apply: applyToVersion,
  effect: ({ kind, value }) => `${kind}:${value ?? ""}`,
};

/**
 * Removes writes of unknown outcome whose value nobody ever saw: they explain nothing, and each would double the number
 * of explanations.
 */
export const withoutUnseen = (history: readonly Recorded<VersionOperation>[]): Recorded<VersionOperation>[] => {
  const seen = new Set(history.map(({ operation }) => operation.seen));
  return history.filter(
    ({ operation: { outcome, value } }) => outcome !== "unknown" || value === undefined || seen.has(value),
  );
};

/** The targets on one side of a document's relation. */
export interface LinkOperation {
  readonly kind: "connect" | "disconnect" | "set" | "read" | "readOne";
  readonly outcome: Outcome;
  /** The named targets. */
  readonly targets: readonly string[];
  /** For `readOne`, which reads from the other side: whether it showed that target. */
  readonly linked?: boolean;
}

/** A list of targets as a state of the model. */
export const linkState = (targets: readonly string[]): string => [...new Set(targets)].sort().join(",");

const applyToLinks = (state: string, { kind, targets, linked }: LinkOperation, single: boolean): string | undefined => {
  const present = state === "" ? [] : state.split(",");
  switch (kind) {
    case "connect":
      return linkState(single ? targets : [...present, ...targets]);
    case "disconnect":
      return linkState(present.filter((each) => !targets.includes(each)));
    case "set":
      return linkState(targets);
    case "read":
      return linkState(targets) === state ? state : undefined;
    case "readOne":
      return targets.every((each) => present.includes(each) === linked) ? state : undefined;
  }
};

const effectOnLinks = ({ kind, targets }: LinkOperation): string => `${kind}:${linkState(targets)}`;

/** A relation to any number of documents. */
export const manyModel: Model<LinkOperation> = {
  apply: (state, operation) => applyToLinks(state, operation, false),
  effect: effectOnLinks,
};

/** A relation to one document at most: connecting replaces. */
export const oneModel: Model<LinkOperation> = {
  apply: (state, operation) => applyToLinks(state, operation, true),
  effect: effectOnLinks,
};

/** A list in its order. */
export interface OrderOperation {
  readonly kind: "connect" | "disconnect" | "set" | "read";
  readonly outcome: Outcome;
  /** The named or shown targets, in order. */
  readonly targets: readonly string[];
  /** The position at which `connect` inserts its target. */
  readonly at?: "start" | "end";
}

export const orderModel: Model<OrderOperation> = {
  apply(state, { kind, targets, at }) {
    const others = (state === "" ? [] : state.split(",")).filter((each) => !targets.includes(each));
    if (kind === "read") return targets.join(",") === state ? state : undefined;
    if (kind === "set") return targets.join(",");
    if (kind === "disconnect") return others.join(",");
    return (at === "start" ? [...targets, ...others] : [...others, ...targets]).join(",");
  },
  effect: ({ kind, targets, at }) => `${kind}:${at ?? ""}:${targets.join(",")}`,
};

/** An uploaded file: it exists, with its content, until it is deleted. */
export interface FileOperation {
  readonly kind: "delete" | "read";
  readonly outcome: Outcome;
  readonly seen?: boolean;
}

export const fileModel: Model<FileOperation> = {
  apply: (state, { kind, seen }) => {
    if (kind === "delete") return "gone";
    return (state === "there") === seen ? state : undefined;
  },
  effect: ({ kind }) => kind,
};
