/** Connections to a PostgreSQL server, by postgres.js. */
import postgres from "postgres";

/** PostgreSQL's own numbers of the types that the driver would otherwise turn into JavaScript values. */
const JSON_TYPES = [114, 3802];
const TIME_TYPES = [1082, 1114, 1184];
const BYTEA = 17;
const TEXT = 25;
const BOOLEAN = 16;

const asText = { serialize: String, parse: (text: string) => text };

const options = {
  fetch_types: false,
  connect_timeout: 10,
  backoff: (attempt: number) => Math.min(attempt / 20, 1),
  onnotice: () => {},
  types: {
    json: { ...asText, to: 114, from: JSON_TYPES },
    date: { ...asText, to: 1184, from: TIME_TYPES },
    bytea: { ...asText, to: BYTEA, from: [BYTEA] },
    string: { ...asText, to: TEXT, from: [TEXT] },
    boolean: { to: BOOLEAN, from: [BOOLEAN], serialize: String, parse: (text: string) => text === "t" },
  },
};

export type Client = ReturnType<typeof connect>;

export interface Connections {
  /** The most at a time. */
  readonly max: number;
  /** Seconds for which each lives; null for as long as it is used. */
  readonly max_lifetime: number | null;
  /** Told of connections that have ended. */
  onclose(connection: number): void;
}

/** `random_page_cost` suits solid-state disks; without it short joins become scans of whole tables. */
export const connect = (url: string, connections: Connections, tuned: boolean) =>
  postgres(url, {
    ...options,
    ...connections,
    connection: { application_name: "galley", TimeZone: "UTC", ...(tuned ? { random_page_cost: 1.1 } : {}) },
  });

const refusesSettings = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === "08P01" || error.code === "42501");

/** Connection poolers may refuse settings that they do not know: then we do without. */
export const firstConnection = async (
  url: string,
  connections: Connections,
): Promise<{ readonly client: Client; readonly tuned: boolean }> => {
  const tuned = connect(url, connections, true);
  try {
    await tuned.unsafe("select 1");
    return { client: tuned, tuned: true };
  } catch (error) {
    await tuned.end({ timeout: 0 });
    if (!refusesSettings(error)) throw error;
  }
  const plain = connect(url, connections, false);
  await plain.unsafe("select 1");
  return { client: plain, tuned: false };
};
