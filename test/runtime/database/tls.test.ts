/** What the parameters of libpq in the address of a server ask of its certificate. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { TLSSocket } from "node:tls";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { createCertificate } from "../../support/certificate.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";

const target = new URL(await freshPostgresUrl());
const folder = await mkdtemp(path.join(tmpdir(), "galley-tls-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const [own, other] = [createCertificate(), createCertificate()];
const file = async (name: string, content: string): Promise<string> => {
  await writeFile(path.join(folder, name), content);
  return path.join(folder, name);
};
const rootcert = await file("root.crt", own.cert);
const [cert, key] = [await file("own.crt", own.cert), await file("own.key", own.key)];
const foreign = await file("foreign.crt", other.cert);

/** A server that encrypts with a certificate for `localhost`, and tells which certificates its clients have shown. */
const startEncrypted = async () => {
  const shown: string[] = [];
  const server = createServer((client) => {
    client.on("error", () => {});
    client.once("data", () => {
      client.write("S");
      const secure = new TLSSocket(client, { isServer: true, requestCert: true, rejectUnauthorized: false, ...own });
      secure.on("secure", () => void shown.push(String(secure.getPeerCertificate().subject?.CN)));
      const upstream = connect({ port: Number(target.port), host: target.hostname });
      secure.pipe(upstream).pipe(secure);
      for (const each of [secure, upstream]) each.on("error", () => {});
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const ask = async (host: string, parameters: Readonly<Record<string, string>>): Promise<unknown> => {
    const url = Object.assign(new URL(target), { hostname: host, port: String(port) });
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const database = await openPostgres(url.href, 1);
    try {
      return (await database.rows("select 1"))[0]?.[0];
    } finally {
      await database.close();
    }
  };
  return { ask, shown };
};

test.each([
  ["localhost", { sslmode: "require" }],
  ["localhost", { sslmode: "verify-full", sslrootcert: rootcert }],
  ["127.0.0.1", { sslmode: "verify-ca", sslrootcert: rootcert }],
  ["127.0.0.1", { sslmode: "require", sslrootcert: rootcert, channel_binding: "prefer", gssencmode: "disable" }],
])("a connection to %s with %j is made", async (host, parameters) => {
  expect(await (await startEncrypted()).ask(host, parameters)).toBe(1);
});

test.each([
  ["localhost", { sslmode: "verify-full" }, /self.signed/i],
  ["localhost", { sslrootcert: "system" }, /self.signed/i],
  ["localhost", { sslmode: "verify-full", sslrootcert: foreign }, /self.signed|signature|unable to/i],
  ["localhost", { sslmode: "require", sslrootcert: foreign }, /self.signed|signature|unable to/i],
  ["127.0.0.1", { sslmode: "verify-full", sslrootcert: rootcert }, /127\.0\.0\.1/],
  [
    "localhost",
    { sslmode: "verify-full", sslrootcert: "/no/such/file" },
    /sslrootcert=\/no\/such\/file cannot be read/,
  ],
  ["localhost", { sslmode: "strict" }, /sslmode=strict is none of disable, allow/],
  ["localhost", { sslmode: "require", channel_binding: "require" }, /channel_binding=require is not supported/],
])("a connection to %s with %j is refused", async (host, parameters, message) => {
  await expect((await startEncrypted()).ask(host, parameters)).rejects.toThrow(message);
});

test("a client shows its certificate", async () => {
  const { ask, shown } = await startEncrypted();
  expect(await ask("localhost", { sslmode: "require", sslcert: cert, sslkey: key })).toBe(1);
  expect(shown[0]).toBe("localhost");
});
