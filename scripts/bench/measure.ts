/** What a request costs a server. */
import { cpuOf } from "./cpu.ts";
import { type Call, load, type Target } from "./load.ts";
import { type BenchRequest, PAGES } from "./requests.ts";

export const DOCUMENTS = 10_000;

/** Who is asked, and for what. */
export interface Side {
  /** Of another machine's server there is no process to look at. */
  readonly server: Target & { readonly pid?: number };
  readonly request: BenchRequest;
}

const encoded = (path: string): string => encodeURI(path).replaceAll("[", "%5B").replaceAll("]", "%5D");

let number = 0;

/** Lets the next request have the body of the last one, but for what is made up anew. */
export const repeatBody = (): void => {
  number -= 1;
};

/** Every request asks for another document, or another page. */
export const callsOf = ({ path, method, body }: BenchRequest): (() => Call) => {
  let next = 0;
  return () => {
    next = (next + 7919) % DOCUMENTS;
    number += 1;
    const document = `artc${String(next + 1).padStart(20, "0")}`;
    return {
      path: encoded(path.replace("{document}", document).replace("{page}", String(1 + (next % PAGES)))),
      ...(method ? { method } : {}),
      ...(body ? { body: body(number) } : {}),
    };
  };
};

export interface Measured {
  /** Microseconds of CPU per request. */
  readonly node: number;
  readonly postgres: number;
  readonly perSecond: number;
}

/** Asks for `seconds`. The CPU is that of the server, where its process is known, and of the database. */
export const measure = async (
  { server, request }: Side,
  database: { readonly pid: number },
  duration: number,
): Promise<Measured> => {
  const { pid } = server;
  const nodeOf = (): number => (pid === undefined ? 0 : cpuOf(pid));
  const node = nodeOf();
  const postgres = cpuOf(database.pid);
  const { requests: count, seconds: took } = await load(server, callsOf(request), duration);
  return {
    node: (nodeOf() - node) / count,
    postgres: (cpuOf(database.pid) - postgres) / count,
    perSecond: count / took,
  };
};

/** Requests before measuring: by then the engine has compiled what runs often. */
const WARM_UP = 2000;

export const warmUp = async ({ server, request }: Side): Promise<void> => {
  const next = callsOf(request);
  for (let sent = 0; sent < WARM_UP;) sent += (await load(server, next, 1)).requests;
};
