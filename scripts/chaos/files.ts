/** Uploads of one or several files: an acknowledged one is stored with its bytes, others completely or not at all. */
import type { Area, Result, Session } from "./area.ts";
import { createLedger } from "./history.ts";
import { dig, list, text } from "./json.ts";
import { fileModel, type FileOperation } from "./models.ts";
import { addWrong, type Tally } from "./tally.ts";

interface Stored {
  readonly id: number;
  readonly url: string;
  readonly content: string;
}

const BOUNDARY = "----a-boundary-of-the-chaos-harness";

const formOf = (files: readonly { readonly name: string; readonly content: string }[]): string =>
  `${files
    .map(
      ({ name, content }) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n` +
        `Content-Type: text/plain\r\n\r\n${content}\r\n`,
    )
    .join("")}--${BOUNDARY}--\r\n`;

const MOST_FILES = 40;

const nameOf = (id: number): string => `file ${id}`;

export const createFiles = (tally: () => Tally): Area => {
  const ledger = createLedger<FileOperation>({
    model: fileModel,
    isRead: ({ kind }) => kind === "read",
    resume: (history) =>
      history.findLast(({ operation }) => operation.kind === "read")?.operation.seen ? "there" : "gone",
  });
  const files = new Map<number, Stored>();
  const gone = new Map<number, Stored>();
  /** Uploads of several files with unknown outcomes, by file name prefix. */
  const inDoubt = new Map<string, number>();
  let uploads = 0;

  const record = (id: number, operation: Omit<FileOperation, "outcome">, result: Result): void => {
    if (result.outcome === "none" || (result.outcome === "unknown" && operation.kind === "read")) return;
    ledger.record(nameOf(id), {
      operation: { ...operation, outcome: result.outcome },
      called: result.called,
      returned: result.outcome === "unknown" ? undefined : result.returned,
    });
  };

  const upload = async (session: Session): Promise<void> => {
    const count = 1 + session.random.below(3);
    const prefix = `u${(uploads += 1)}-`;
    const parts = Array.from({ length: count }, (_, index) => ({
      name: `${prefix}${index}.txt`,
      content: `${prefix}${index} `.repeat(1 + session.random.below(2000)),
    }));
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    const result = await session.ask("POST upload", { method: "POST", path: "/api/upload", body: formOf(parts), type });
    if (result.outcome === "unknown") inDoubt.set(prefix, count);
    if (result.outcome !== "done") return;
    const stored = list(result.body);
    if (stored.length !== count) addWrong(tally(), `an upload of ${count} files answered with ${stored.length}`);
    for (const each of stored) {
      const content = parts.find(({ name }) => name === dig(each, "name"))?.content ?? "";
      const file = { id: Number(dig(each, "id")), url: text(dig(each, "url")), content };
      files.set(file.id, file);
      ledger.open(nameOf(file.id), "there");
    }
  };

  const remove = async (session: Session): Promise<void> => {
    const file = session.random.pick([...files.values()]);
    files.delete(file.id);
    gone.set(file.id, file);
    const result = await session.ask("DELETE file", { method: "DELETE", path: `/api/upload/files/${file.id}` });
    record(file.id, { kind: "delete" }, result);
  };

  const read = async (session: Session, { id, url, content }: Stored): Promise<void> => {
    const result = await session.ask("GET file", { method: "GET", path: `/api/upload/files/${id}` });
    record(id, { kind: "read", seen: result.outcome === "done" }, result);
    if (result.outcome !== "done" || !files.has(id)) return;
    const bytes = await session.ask("GET uploaded bytes", { method: "GET", path: url });
    const isDamaged = bytes.outcome === "missing" || (bytes.outcome === "done" && bytes.body !== content);
    if (isDamaged && files.has(id)) addWrong(tally(), "a file whose bytes are not those that were uploaded");
  };

  /** For an upload in doubt, either all files are stored or none. */
  const readInDoubt = async (session: Session): Promise<void> => {
    for (const [prefix, count] of inDoubt) {
      const path = `/api/upload/files?filters[name][$startsWith]=${prefix}`;
      const result = await session.ask("GET files", { method: "GET", path });
      if (result.outcome !== "done") continue;
      const found = list(result.body).length;
      if (found !== 0 && found !== count) addWrong(tally(), `an upload of ${count} files that stored ${found}`);
      inDoubt.delete(prefix);
    }
  };

  return {
    prepare: upload,
    async act(session) {
      const { random } = session;
      if (files.size >= MOST_FILES || (files.size > 0 && random.chance(0.25))) return remove(session);
      if (files.size === 0 || random.chance(0.4)) return upload(session);
      return read(session, random.pick([...files.values()]));
    },
    async readAll(session) {
      await readInDoubt(session);
      for (const file of [...files.values(), ...gone.values()]) await read(session, file);
    },
    settle() {
      for (const id of gone.keys()) ledger.close(nameOf(id));
      gone.clear();
      return ledger.settle();
    },
  };
};
