/** Sends the steps of a scenario, remembering what later steps refer to. */
import { randomBytes } from "node:crypto";
import { Agent, request as httpRequest } from "node:http";
import { multipartBody } from "./multipart.ts";
import { declaredTypes, type DeclaredType, type Part, type Step } from "./scenario.ts";

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly json: unknown;
}

export interface Tokens {
  readonly full: string;
  readonly readonly: string;
  readonly custom: string;
  readonly expired: string;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Milliseconds without a sign of an answer after which a request has failed. */
const PATIENCE = 60_000;

type Variables = Readonly<Record<string, unknown>>;

/** Replaces `{{name}}`, and `{{name:num}}` by a number where it is the whole text. */
const fill = (value: unknown, variables: Variables): unknown => {
  if (typeof value === "string") {
    const number = /^\{\{([\w.]+):num\}\}$/.exec(value)?.[1];
    return number === undefined ? fillText(value, variables) : Number(variables[number]);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fillText(key, variables), fill(item, variables)]),
  );
};

const fillText = (text: string, variables: Variables): string =>
  text.replaceAll(/\{\{([\w.]+)\}\}/g, (whole, name: string) => (name in variables ? String(variables[name]) : whole));

const valueAt = (json: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
      json,
    );

export class Session {
  readonly #base: URL;
  readonly #tokens: Tokens;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #types: readonly DeclaredType[] = declaredTypes();
  #variables: Record<string, unknown> = {};
  #jwt: string | undefined;

  constructor(base: string, tokens: Tokens) {
    this.#base = new URL(base);
    this.#tokens = tokens;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Starts a scenario; returns what its names hold instead of `{{run}}`. */
  begin(): string {
    const run = `r${randomBytes(4).toString("hex")}`;
    this.#variables = { run, base: this.#base.origin, now: new Date().toISOString() };
    this.#jwt = undefined;
    return run;
  }

  async send(step: Step): Promise<Received> {
    if (step.wait !== undefined) await new Promise((resolve) => setTimeout(resolve, step.wait));
    const headers: Record<string, string> = await this.#credentials(step.auth ?? "full");
    const body = this.#bodyOf(step, headers);
    for (const [name, value] of Object.entries(step.headers ?? {})) {
      if (value === null) delete headers[name.toLowerCase()];
      else headers[name.toLowerCase()] = fillText(value, this.#variables);
    }
    const received = await this.#request(step.method, fillText(step.path, this.#variables), headers, body);
    for (const [name, path] of Object.entries(step.capture ?? {})) {
      const value = valueAt(received.json, path);
      if (value !== undefined && value !== null) this.#variables[name] = value;
    }
    return received;
  }

  #bodyOf({ multipart, rawBody, body }: Step, headers: Record<string, string>): Buffer | undefined {
    if (multipart) {
      const filled = multipartBody(multipart.map((part) => this.#part(part)));
      headers["content-type"] = filled.type;
      return filled.body;
    }
    if (rawBody !== undefined) return Buffer.from(fillText(rawBody, this.#variables));
    if (body === undefined) return undefined;
    headers["content-type"] = "application/json";
    return Buffer.from(JSON.stringify(fill(body, this.#variables)));
  }

  #part({ filename, value, ...part }: Part): Part {
    const named = filename === undefined ? {} : { filename: fillText(filename, this.#variables) };
    return { ...part, ...named, value: fill(value, this.#variables) };
  }

  async #credentials(auth: string): Promise<Record<string, string>> {
    if (auth === "public" || auth === "none") return {};
    const token = auth === "user" ? await this.#user() : Reflect.get(this.#tokens, auth);
    if (typeof token !== "string") throw new Error(`Unknown auth ${auth}`);
    return { authorization: `Bearer ${token}` };
  }

  /** The token of a user who is registered once per scenario. */
  async #user(): Promise<string> {
    if (this.#jwt !== undefined) return this.#jwt;
    const { run } = this.#variables;
    const account = { username: `lab${run}`, email: `lab${run}@lab.test`, password: "Passw0rd!" };
    const headers = { "content-type": "application/json" };
    const body = Buffer.from(JSON.stringify(account));
    const { json, text } = await this.#request("POST", "/api/auth/local/register", headers, body);
    const jwt = valueAt(json, "jwt");
    if (typeof jwt !== "string") throw new Error(`No user could be registered: ${text.slice(0, 200)}`);
    Object.assign(this.#variables, {
      userId: valueAt(json, "user.id"),
      userDoc: valueAt(json, "user.documentId"),
      userJwt: jwt,
    });
    this.#jwt = jwt;
    return jwt;
  }

  #request(method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<Received> {
    const length: Record<string, string> = body === undefined ? {} : { "content-length": String(body.length) };
    // As clients do: a fragment is not sent, and characters that a path cannot hold are encoded.
    const { pathname, search } = new URL(this.#base.origin + path);
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          agent: this.#agent,
          host: this.#base.hostname,
          port: this.#base.port,
          method,
          path: pathname + search,
          headers: { ...headers, ...length },
          timeout: PATIENCE,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("error", reject);
          response.on("data", (data: Buffer) => chunks.push(data));
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
          });
        },
      );
      sent.on("error", reject);
      sent.on("timeout", () => sent.destroy(new Error(`${method} ${path} has no answer after a minute`)));
      sent.end(body);
    });
  }

  #full(method: string, path: string): Promise<Received> {
    return this.#request(method, path, { authorization: `Bearer ${this.#tokens.full}` });
  }

  /** Deletes all content, files and users through the API. */
  async empty(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      const counts = await Promise.all(this.#types.map((type) => this.#emptyType(type)));
      counts.push(await this.#emptyList("/api/upload/files"), await this.#emptyList("/api/users"));
      if (counts.every((count) => count === 0)) return;
    }
  }

  async #emptyType({ single, singular, plural, localized, draftAndPublish }: DeclaredType): Promise<number> {
    const locale = localized ? "&locale=*" : "";
    if (single) {
      await this.#full("DELETE", `/api/${singular}?${locale.slice(1)}`);
      return 0;
    }
    const status = draftAndPublish ? "&status=draft" : "";
    const { json } = await this.#full(
      "GET",
      `/api/${plural}?pagination[pageSize]=100&fields[0]=documentId${status}${locale}`,
    );
    const ids = new Set(listOf(valueAt(json, "data")).map((item) => String(valueAt(item, "documentId"))));
    for (const id of ids) await this.#full("DELETE", `/api/${plural}/${id}?${locale.slice(1)}`);
    return ids.size;
  }

  async #emptyList(path: string): Promise<number> {
    const items = listOf((await this.#full("GET", path)).json);
    for (const item of items) await this.#full("DELETE", `${path}/${valueAt(item, "id")}`);
    return items.length;
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
