/** A project in a git repository, with `cms dev` running in a terminal. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { freePort } from "../../test/support/free-port.ts";
import { cmsProcess, program, type Server, serveBy } from "../../test/support/processes.ts";

export type Attributes = Record<string, object>;

/**
 * A branch's schema: attributes of the type, fields of the component, and attributes of a second type, if it has one.
 */
export interface Schema {
  readonly page: Attributes;
  readonly part: Attributes;
  readonly note: Attributes | undefined;
}

const PLACES = {
  page: "content-types/page/schema.json",
  part: "content-types/components/shared/part.json",
  note: "content-types/note/schema.json",
} as const;
type Place = keyof typeof PLACES;
export const places: readonly Place[] = ["page", "part", "note"];

const typeFile = (name: string, attributes: Attributes): object => ({
  kind: "collectionType",
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: false },
  attributes,
});

const textOf = (place: Place, attributes: Attributes): string => {
  const file = place === "part" ? { info: { displayName: "Part" }, attributes } : typeFile(place, attributes);
  return `${JSON.stringify(file, null, 2)}\n`;
};

const sideOf = (text: string, side: 1 | 2): Attributes => {
  const marked = /^<{7} .*\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} .*\n/gm;
  const parsed: { attributes: Attributes } = JSON.parse(text.replaceAll(marked, side === 1 ? "$1" : "$2"));
  return parsed.attributes;
};

/** Names and types, in any order. */
const formOf = (attributes: Attributes | undefined): object | undefined =>
  attributes &&
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const kind = "kind" in attribute && attribute.kind !== "scalar" ? attribute.kind : undefined;
      return [name, kind ?? ("type" in attribute ? attribute.type : undefined)];
    }),
  );

/** The timeout of `cms dev` for anything, in milliseconds. */
const PATIENCE = 90_000;

export class Project {
  readonly root = mkdtempSync(path.join(tmpdir(), "galley-branches-"));
  #server: Server | undefined;
  #token = "";

  async start(schema: Schema): Promise<void> {
    writeFileSync(path.join(this.root, ".gitignore"), ".cms\nnode_modules\n");
    this.save(schema);
    this.git("init", "--quiet", "--initial-branch=main");
    await this.run("generate");
    await this.run("migrate");
    this.commit();
    this.#token =
      (await this.run("token", "create", "--name", "script", "--type", "full-access")).trim().split("\n").at(-1) ?? "";
    const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} dev`;
    // A terminal, as a person has.
    this.#server = await serveBy("script", ["-qfec", command, "/dev/null"], this.root, await freePort(), {}, () => {});
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  git(...args: readonly string[]): number {
    const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
    return spawnSync("git", ["-C", this.root, ...identity, ...args], { encoding: "utf8" }).status ?? 1;
  }

  commit(): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "Change");
  }

  save(schema: Schema): void {
    for (const place of places) {
      const [file, attributes] = [path.join(this.root, PLACES[place]), schema[place]];
      mkdirSync(path.dirname(file), { recursive: true });
      if (attributes) writeFileSync(file, textOf(place, attributes));
      else rmSync(path.dirname(file), { recursive: true });
    }
  }

  /** The schema in the files; after a merge with conflicts, with both sides' attributes. */
  read(): Schema {
    const [page = {}, part = {}, note] = places.map((place): Attributes | undefined => {
      const file = path.join(this.root, PLACES[place]);
      if (!existsSync(file)) return undefined;
      const text = readFileSync(file, "utf8");
      return { ...sideOf(text, 2), ...sideOf(text, 1) };
    });
    return { page, part, note };
  }

  /** Whether the newest migration results in this schema. */
  isGenerated({ page, part, note }: Schema): boolean {
    const migrations = path.join(this.root, "generated", "migrations");
    const newest = readdirSync(migrations)
      .sort()
      .findLast((name) => existsSync(path.join(migrations, name, "snapshot.json")));
    const snapshot: Record<"contentTypes" | "components", Record<string, { attributes: Attributes }>> = JSON.parse(
      readFileSync(path.join(migrations, newest ?? "", "snapshot.json"), "utf8"),
    );
    const isSame = (found: { attributes: Attributes } | undefined, wanted: Attributes | undefined) =>
      isDeepStrictEqual(formOf(found?.attributes), formOf(wanted));
    const { contentTypes: types, components } = snapshot;
    return (
      isSame(types["api::page.page"], page) &&
      isSame(types["api::note.note"], note) &&
      isSame(components["shared.part"], part)
    );
  }

  /** The output of `cms dev`. */
  get printed(): string {
    const { stdout = "" } = this.#server?.output ?? {};
    return stdout.replaceAll(/^.*(?:GET|PUT|POST) .* ms.*\r?\n/gm, "");
  }

  async run(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await cmsProcess(this.root, args);
    if (code !== 0) throw new Error(`cms ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  }

  async request(method: string, target: string, data?: object): Promise<unknown> {
    const response = await fetch(`${this.#server?.url}${target}`, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" },
      ...(data ? { body: JSON.stringify({ data }) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Writes once the server has the schema of the files. */
  async write(method: string, target: string, data: object): Promise<unknown> {
    let answer: unknown;
    await this.until(`${method} ${target} ${JSON.stringify(data)}`, async () => {
      answer = await this.request(method, target, data);
      return true;
    });
    return answer;
  }

  /** Waits until a condition holds; on timeout, fails with the output of `cms dev` since then. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const from = this.printed.length;
    let last: unknown = "";
    const isTrue = () => holds().catch((error: unknown) => ((last = error), false));
    for (const end = Date.now() + PATIENCE; Date.now() < end; await wait(100)) if (await isTrue()) return;
    throw new Error(
      `${what} did not happen: ${String(last)}\n${this.printed.slice(from) || this.printed.slice(-3000)}`,
    );
  }
}
