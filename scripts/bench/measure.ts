/** Measures a server's cost per request. */
import { cpuOf } from "./cpu.ts";
import { type Call, load, type Target } from "./load.ts";
import { type BenchRequest, PAGES } from "./requests.ts";

export const DOCUMENTS = 10_000;

/** The target, and the requests. */
export interface Side {
  /** A remote server has no local process to measure. */
  readonly server: Target & { readonly pid?: number };
  readonly request: BenchRequest;
}

const encoded = (path: string): string => encodeURI(path).replaceAll("[", "%5B").replaceAll("]", "%5D");

let number = 0;

/** Lets the next request reuse the last one's body, except for freshly made-up values. */
export const repeatBody = (): void => {
  number -= 1;
};

/** Every request addresses another document or page. */
export const callsOf = ({ path, method, body }: BenchRequest): (() => Call) => {
  let next = 0;
  return () => {
    next = (next + 7919) % DOCUMENTS;
    number += 1;
    const document = String(next + 1).padStart(20, "0");
    return {
      path: encoded(path.replace("{number}", document).replace("{page}", String(1 + (next % PAGES)))),
      ...(method ? { method } : {}),
      ...(body ? { body: body(number) } : {}),
    };
  };
};

export interface Measured {
  /** CPU per request, in microseconds. */
  readonly node: number;
  readonly postgres: number;
  readonly perSecond: number;
}

/** Sends requests for `seconds`. CPU is that of the server, if its process is known, and of the database. */
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

/** Warm-up requests: after these, V8 has optimized the hot code. */
const WARM_UP = 2000;

export const warmUp = async ({ server, request }: Side): Promise<void> => {
  const next = callsOf(request);
  for (let sent = 0; sent < WARM_UP;) sent += (await load(server, next, 1)).requests;
};
