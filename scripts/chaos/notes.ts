/** Documents with drafts and locales: every operation on versions, over REST and GraphQL. */
import type { Area, Result, Session } from "./area.ts";
import { dig, text } from "./json.ts";
import { type VersionOperation, versionState } from "./models.ts";
import { addWrong, type Tally } from "./tally.ts";
import { createVersionLedger } from "./versions.ts";

const NOTES = 10;
const locales = ["en", "de"] as const;
type Locale = (typeof locales)[number];

/** A document's version in one locale, as histories refer to it. */
const nameOf = (documentId: string, locale: Locale): string => `note ${documentId} ${locale}`;

/** A body whose parts all have the same value: this reveals a version that mixes two writes. */
const dataOf = (value: string): object => ({
  title: value,
  text: value,
  head: { text: value },
  lines: [{ text: value }, { text: value }],
  body: [
    { __component: "parts.line", text: value },
    { __component: "parts.quote", text: value, by: value },
  ],
});

const mutation = /* GraphQL */ `
  mutation ($id: ID!, $data: NoteInput!, $status: PublicationStatus, $locale: I18NLocaleCode) {
    updateNote(documentId: $id, data: $data, status: $status, locale: $locale) {
      documentId
      title
      text
      head {
        text
      }
      lines {
        text
      }
      body {
        ... on ComponentPartsLine {
          text
        }
        ... on ComponentPartsQuote {
          text
          by
        }
      }
    }
  }
`;

/** The single value of a version; "torn" if its parts have several. */
const valueOf = (version: unknown): string => {
  const parts = [
    dig(version, "title"),
    dig(version, "text"),
    dig(version, "head", "text"),
    dig(version, "lines", 0, "text"),
    dig(version, "lines", 1, "text"),
    dig(version, "body", 0, "text"),
    dig(version, "body", 1, "text"),
    dig(version, "body", 1, "by"),
  ];
  const [first] = parts;
  return typeof first === "string" && parts.every((each) => each === first) ? first : `torn ${JSON.stringify(parts)}`;
};

export const createNotes = (tally: () => Tally): Area => {
  const ledger = createVersionLedger();
  /** The documents in use, by slot, and those deleted since the last settlement. */
  const slots: (string | undefined)[] = Array.from({ length: NOTES }, () => undefined);
  const gone = new Set<string>();
  let values = 0;
  const nextValue = (): string => `v${(values += 1)}`;

  const record = (
    documentId: string,
    locale: Locale,
    operation: Omit<VersionOperation, "outcome">,
    result: Result,
  ): void => ledger.record(nameOf(documentId, locale), operation, result);

  const create = async (session: Session, slot: number): Promise<void> => {
    const value = nextValue();
    const draft = session.random.chance(0.3);
    const body = JSON.stringify({ data: dataOf(value) });
    const path = `/api/notes?locale=en&populate=*${draft ? "&status=draft" : ""}`;
    const result = await session.ask("POST note", { method: "POST", path, body });
    const documentId = dig(result.body, "data", "documentId");
    if (result.outcome !== "done" || typeof documentId !== "string") return;
    ledger.open(nameOf(documentId, "en"), versionState(value, draft ? null : value));
    ledger.open(nameOf(documentId, "de"), versionState(null, null));
    slots[slot] = documentId;
  };

  /** The version in an answer; undefined without one. */
  const shown = ({ outcome, body }: Result, ...path: readonly string[]): Pick<VersionOperation, "seen"> => {
    if (outcome !== "done") return {};
    const seen = valueOf(dig(body, ...path));
    if (seen.startsWith("torn")) addWrong(tally(), seen);
    return { seen };
  };

  const write = async (session: Session, id: string, locale: Locale): Promise<void> => {
    const value = nextValue();
    const saves = session.random.chance(0.3);
    const operation = { kind: saves ? "save" : "put", value, creates: locale !== "en" } as const;
    if (session.random.chance(0.25)) {
      const variables = { id, locale, data: graphqlData(value), status: saves ? "DRAFT" : "PUBLISHED" };
      const body = JSON.stringify({ query: mutation, variables });
      const asked = await session.ask("mutation updateNote", { method: "POST", path: "/graphql", body });
      const result = graphqlResult(asked, (what) => addWrong(tally(), what));
      record(id, locale, { ...operation, ...shown(result, "data", "updateNote") }, result);
      return;
    }
    const path = `/api/notes/${id}?populate=*&locale=${locale}${saves ? "&status=draft" : ""}`;
    const result = await session.ask("PUT note", {
      method: "PUT",
      path,
      body: JSON.stringify({ data: dataOf(value) }),
    });
    record(id, locale, { ...operation, ...shown(result, "data") }, result);
  };

  const read = async (
    session: Session,
    id: string,
    locale: Locale,
    kind: "readDraft" | "readPublished",
  ): Promise<void> => {
    const status = kind === "readDraft" ? "draft" : "published";
    const path = `/api/notes/${id}?populate=*&locale=${locale}&status=${status}`;
    const result = await session.ask("GET note", { method: "GET", path });
    const seen = result.outcome === "done" ? shown(result, "data") : { seen: null };
    record(id, locale, { kind, ...seen }, result);
  };

  const change = async (
    session: Session,
    id: string,
    locale: Locale,
    kind: "publish" | "unpublish" | "discard",
  ): Promise<void> => {
    // Discarding a draft that was never published is a 400.
    const refusals = kind === "discard" ? [400, 404] : [404];
    const action = kind === "discard" ? "discard-draft" : kind;
    const path = `/api/notes/${id}/actions/${action}?populate=*&locale=${locale}`;
    const result = await session.ask(`POST ${action}`, { method: "POST", path, body: "{}" }, refusals);
    record(id, locale, { kind, ...shown(result, "data") }, result);
  };

  const remove = async (session: Session, slot: number, id: string): Promise<void> => {
    if (session.random.chance(0.5)) {
      const result = await session.ask("DELETE locale", { method: "DELETE", path: `/api/notes/${id}?locale=de` });
      record(id, "de", { kind: "delete" }, result);
      return;
    }
    slots[slot] = undefined;
    gone.add(id);
    const result = await session.ask("DELETE note", { method: "DELETE", path: `/api/notes/${id}?locale=*` });
    for (const locale of locales) record(id, locale, { kind: "deleteAll" }, result);
  };

  return {
    async prepare(session) {
      for (const slot of slots.keys()) await create(session, slot);
    },
    async act(session) {
      const { random } = session;
      const slot = random.below(NOTES);
      const id = slots[slot];
      if (id === undefined) return create(session, slot);
      const locale = random.pick(locales);
      const choice = random.below(100);
      if (choice < 45) return write(session, id, locale);
      if (choice < 75) return read(session, id, locale, random.pick(["readDraft", "readPublished"]));
      if (choice < 97) return change(session, id, locale, random.pick(["publish", "unpublish", "discard"]));
      return remove(session, slot, id);
    },
    async readAll(session) {
      const ids = [...slots.filter((each) => each !== undefined), ...gone];
      for (const id of ids)
        for (const locale of locales)
          for (const kind of ["readDraft", "readPublished"] as const) await read(session, id, locale, kind);
    },
    settle() {
      for (const id of gone) for (const locale of locales) ledger.close(nameOf(id, locale));
      gone.clear();
      return ledger.settle();
    },
  };
};

/** GraphQL names components differently. */
const graphqlData = (value: string): object => ({
  ...dataOf(value),
  body: [
    { __typename: "ComponentPartsLine", text: value },
    { __typename: "ComponentPartsQuote", text: value, by: value },
  ],
});

/** GraphQL errors have status 200. */
const graphqlResult = (result: Result, complain: (what: string) => void): Result => {
  if (result.outcome !== "done") return result;
  const message = dig(result.body, "errors", 0, "message");
  if (message !== undefined) {
    const code = text(dig(result.body, "errors", 0, "extensions", "code"));
    if (code !== "STRAPI_SERVICE_UNAVAILABLE_ERROR") complain(`GraphQL error ${code}: ${text(message)}`);
    return { ...result, outcome: "unknown" };
  }
  return dig(result.body, "data", "updateNote") === null ? { ...result, outcome: "missing" } : result;
};
