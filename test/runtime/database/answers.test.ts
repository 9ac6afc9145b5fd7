/** Answers of PostgreSQL are the same, however they arrive. */
import { connect, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import type { Row } from "../../../runtime/database/database.ts";
import { openConnection } from "../../../runtime/database/postgres/connection.ts";
import { createCertificate } from "../../support/certificate.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";

/** Listens on a port of its own, and returns the address of the server at `target` by way of it. */
const by = async (target: URL, connected: (client: Socket) => void): Promise<URL> => {
  const server = createServer({ noDelay: true }, connected);
  const port = await freePort();
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return Object.assign(new URL(target), { port: String(port) });
};

/** Passes on what comes on either connection. */
const join = (client: Socket, target: URL): void => {
  const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
  client.pipe(upstream).pipe(client);
  for (const each of [client, upstream]) each.on("error", () => {});
};

/** A way to the server on which answers arrive in pieces of these sizes, in turn. */
const inPieces = async (target: URL, sizes: readonly number[]): Promise<string> => {
  let turn = 0;
  const url = await by(target, (client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    let last = Promise.resolve();
    const passOn = async (arrived: Buffer): Promise<void> => {
      for (let at = 0; at < arrived.length;) {
        const size = sizes[turn % sizes.length] ?? arrived.length;
        turn += 1;
        client.write(arrived.subarray(at, at + size));
        at += size;
        await new Promise((resolve) => void setImmediate(resolve));
      }
    };
    upstream.on("data", (arrived) => {
      last = last.then(() => passOn(arrived));
    });
    client.pipe(upstream);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  });
  return url.href;
};

/** A way to the server on which a client that asks for it is encrypted; or told that it cannot be. */
const encrypted = async (target: URL, accepts: boolean): Promise<string> => {
  const certificate = createCertificate();
  const url = await by(target, (client) => {
    client.once("data", () => {
      client.write(accepts ? "S" : "N");
      join(accepts ? new TLSSocket(client, { isServer: true, ...certificate }) : client, target);
    });
  });
  url.searchParams.set("sslmode", accepts ? "require" : "prefer");
  return url.href;
};

/** Rows of every length, with texts that are no ASCII, empty or null, and numbers and booleans beside them. */
const ROWS = `
  select n, case when n % 3 > 0 then repeat(case when n % 2 > 0 then 'é😀"\\' else 'ab,' end, n * $1) end, n % 2 = 0, '', n / 4.0::float8
  from generate_series(1, 20) n`;

const expected = (times: number): Row[] =>
  Array.from({ length: 20 }, (_, index) => {
    const n = index + 1;
    const text = n % 3 === 0 ? null : (n % 2 > 0 ? 'é😀"\\' : "ab,").repeat(n * times);
    return [n, text, n % 2 === 0, "", n / 4];
  });

test("rows that arrive in pieces are read whole, prepared or not", async () => {
  const url = await inPieces(new URL(await freshPostgresUrl(onTestFinished)), [7, 9000, 1, 70_000, 4, 8192]);
  const connection = await openConnection({ url, patience: 60_000 }, {});
  onTestFinished(() => connection.close());
  for (const prepare of [false, true, true]) {
    for (const times of [1, 500, 9000]) expect(await connection.rows(ROWS, [times], prepare)).toEqual(expected(times));
  }
});

test("each of many statements sent at once gets its own rows, also behind those that fail or return none", async () => {
  const url = await inPieces(new URL(await freshPostgresUrl(onTestFinished)), [3, 50, 11, 9000, 400]);
  const connection = await openConnection({ url, patience: 60_000 }, {});
  onTestFinished(() => connection.close());
  await connection.script("create table t (n int)");
  const asked = Array.from({ length: 60 }, async (_, n) => {
    const prepare = n % 2 > 0;
    if (n % 5 === 0) return connection.script(`insert into t values (${n}); select 'no row of this is wanted'`);
    // Fails after it has returned some rows.
    if (n % 7 === 0) return connection.rows("select 1 / (3 - m) from generate_series(0, $1::int) m", [n], prepare);
    if (n % 11 === 0) return connection.rows("update t set n = n where $1", [true], prepare);
    return connection.rows("select $1::int + m from generate_series(1, $1::int) m", [n], prepare);
  });
  const answers = await Promise.allSettled(asked);
  for (const [n, answer] of answers.entries()) {
    if (n % 5 === 0) expect(answer).toEqual({ status: "fulfilled", value: "SELECT" });
    else if (n % 7 === 0) expect(answer).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    else {
      const count = n % 11 === 0 ? 0 : n;
      expect(answer).toEqual({ status: "fulfilled", value: Array.from({ length: count }, (__, m) => [n + m + 1]) });
    }
  }
});

test("rows of a megabyte are read among short ones", async () => {
  const connection = await openConnection({ url: await freshPostgresUrl(onTestFinished), patience: 60_000 }, {});
  onTestFinished(() => connection.close());
  const asked = [1, 1_000_000, 2, 3_000_000, 3].map((length) =>
    connection.rows("select repeat('ü', $1::int), n from generate_series(1, 3) n", [length], true),
  );
  for (const [index, length] of [1, 1_000_000, 2, 3_000_000, 3].entries())
    expect(await asked[index]).toEqual([1, 2, 3].map((n) => ["ü".repeat(length), n]));
});

test.each([
  ["encrypted", true],
  ["not encrypted because the server refuses", false],
] as const)("rows are the same where the connection is %s", async (_, accepts) => {
  const url = await encrypted(new URL(await freshPostgresUrl(onTestFinished)), accepts);
  const connection = await openConnection({ url, patience: 60_000 }, {});
  onTestFinished(() => connection.close());
  for (const prepare of [false, true, true]) expect(await connection.rows(ROWS, [300], prepare)).toEqual(expected(300));
});
