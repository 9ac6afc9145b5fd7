/** What a connection learns of itself first: which process of which server answers. */
import { lacksFunction } from "../fault.ts";

/** Identifies a server process. Process ids are reused and are not unique across servers, hence the start time. */
export interface Backend {
  readonly pid: number;
  readonly startedAt: string;
}

export interface Self {
  /** Whether a pooler is in between: the process that answers is not the one that was connected to. */
  readonly isPooled: boolean;
  /** The server process of this connection; undefined if a pooler hides it. */
  readonly backend: Backend | undefined;
  /** When the server was started, which tells it from others at the same address; undefined if a pooler hides it. */
  readonly server: string | undefined;
}

/** The driver's answer: rows by the names of columns, and what the server said of itself when it was connected to. */
interface Answer extends ReadonlyArray<Readonly<Record<string, unknown>>> {
  readonly state: { readonly pid: number };
}

const SELF =
  "select pg_backend_pid() as pid, (select backend_start::text from pg_stat_activity where pid = pg_backend_pid()) as started";
const SELF_AND_SERVER = `${SELF}, pg_postmaster_start_time()::text as server`;

/** @param ask runs a statement */
export const askSelf = async (ask: (sql: string) => Promise<Answer>): Promise<Self> => {
  const answer = await ask(SELF_AND_SERVER).catch((error: unknown) => {
    // Servers that only speak the protocol of PostgreSQL may not know when they were started.
    if (!lacksFunction(error)) throw error;
    return ask(SELF);
  });
  const { pid, started, server } = answer[0] ?? {};
  if (answer.state.pid !== pid) return { isPooled: true, backend: undefined, server: undefined };
  return {
    isPooled: false,
    backend: typeof started === "string" ? { pid: Number(pid), startedAt: started } : undefined,
    server: typeof server === "string" ? server : undefined,
  };
};
