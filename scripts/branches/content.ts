/** Tracks the last written values across branches, and checks that the server shows them. */
import { isDeepStrictEqual as isEqual } from "node:util";
import type { createRandom } from "../chaos/random.ts";
import type { Attributes, Project, Schema } from "./project.ts";

type Values = Record<string, unknown>;
type Known = Map<string, Values>;

interface Answer {
  readonly data: (Values & { documentId: string })[];
}

const isParts = (value: unknown): value is (Values & { id: number })[] => Array.isArray(value);

export class Content {
  /** How many values were compared. */
  compared = 0;
  /** The mismatches found by the last check. */
  difference = "";
  readonly #project: Project;
  readonly #random: ReturnType<typeof createRandom>;
  readonly #known: Record<"page" | "note", Known> = { page: new Map(), note: new Map() };
  readonly #parts = new Map<number, Values>();
  #last = 0;

  constructor(project: Project, random: ReturnType<typeof createRandom>) {
    this.#project = project;
    this.#random = random;
  }

  /** Whether the server has exactly these attributes by now. */
  async shows(schema: Schema): Promise<boolean> {
    try {
      if (!this.#project.isGenerated(schema)) return false;
      const { data } = (await this.#project.request("GET", "/api/pages?populate=*")) as Answer;
      const notes = await this.#project.request("GET", "/api/notes").then(
        () => true,
        () => false,
      );
      if (notes !== (schema.note !== undefined)) return false;
      const own = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt", "locale"]);
      const is = (row: Values) =>
        Object.keys(row)
          .filter((key) => !own.has(key))
          .sort();
      return data.every((row) => isEqual(is(row), Object.keys(schema.page).sort()));
    } catch {
      return false;
    }
  }

  async write(schema: Schema): Promise<void> {
    const type = schema.note && this.#random.chance(0.3) ? "note" : "page";
    const attributes = schema[type] ?? {};
    const known = this.#known[type];
    const data = Object.fromEntries(
      Object.entries(attributes).flatMap(([name, attribute]) =>
        this.#random.chance(0.6) ? [[name, this.#value(attribute, schema)]] : [],
      ),
    );
    const id = known.size > 0 && this.#random.chance(0.7) ? this.#random.pick([...known.keys()]) : undefined;
    if (id !== undefined && isParts(data["parts"])) data["parts"] = await this.#edited(id, schema, data["parts"]);
    const target = `/api/${type}s${id === undefined ? "" : `/${id}`}?populate=*`;
    const answer = (await this.#project.write(id === undefined ? "POST" : "PUT", target, data)) as {
      data: Answer["data"][number];
    };
    const { documentId } = answer.data;
    const values = {
      ...known.get(documentId),
      ...Object.fromEntries(Object.keys(data).map((name) => [name, answer.data[name]])),
    };
    // Default values count as written.
    for (const name of Object.keys(attributes)) values[name] ??= answer.data[name];
    known.set(documentId, values);
    for (const part of isParts(answer.data["parts"]) ? answer.data["parts"] : [])
      this.#parts.set(part.id, { ...this.#parts.get(part.id), ...part });
  }

  /** Existing entries keep their ids, or are removed. */
  async #edited(id: string, schema: Schema, fresh: Values[]): Promise<Values[]> {
    const answer = (await this.#project.request("GET", `/api/pages/${id}?populate=*`)) as { data: Values };
    const all = isParts(answer.data["parts"]) ? answer.data["parts"] : [];
    // The server may have answered with its previous schema.
    const isKnown = (name: string): boolean => name === "id" || name in schema.part;
    const there = all.map((part) => Object.fromEntries(Object.entries(part).filter(([name]) => isKnown(name))));
    const kept = there.filter(() => this.#random.chance(0.8));
    return [
      ...kept.map((part) => (this.#random.chance(0.5) ? { ...part, ...this.#part(schema.part) } : part)),
      ...fresh,
    ];
  }

  #part(fields: Attributes): Values {
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        this.#value(field, { page: {}, part: {}, note: undefined }),
      ]),
    );
  }

  #value(attribute: object, schema: Schema): unknown {
    this.#last += 1;
    const type = "type" in attribute ? attribute.type : "";
    if (type === "component") return this.#random.chance(0.5) ? [this.#part(schema.part)] : [];
    if (type === "boolean") return this.#random.chance(0.5);
    if (type === "integer") return this.#last;
    return String(this.#last);
  }

  /** Whether everything in the schema has its last written value. */
  async isThere(schema: Schema): Promise<boolean> {
    if (!(await this.shows(schema))) return false;
    const pages = await this.#compare("page", schema.page, schema);
    return pages && (!schema.note || (await this.#compare("note", schema.note, schema)));
  }

  async #compare(type: "page" | "note", attributes: Attributes, schema: Schema): Promise<boolean> {
    const { data } = (await this.#project.request("GET", `/api/${type}s?populate=*&pagination[limit]=100`)) as Answer;
    const rows = new Map(data.map((row) => [row.documentId, row]));
    const known = [...this.#known[type]].slice(0, 100);
    return known.every(([id, values]) =>
      Object.keys(attributes).every((name) => {
        const [is, was] = [rows.get(id)?.[name] ?? null, values[name] ?? null];
        this.compared += 1;
        if (is !== null && was === null) values[name] = is;
        const isSame =
          name === "parts" ? this.#sameParts(is, was, schema.part) : String(is) === String(values[name] ?? null);
        if (!isSame) this.difference = `${type} ${id} ${name}: ${JSON.stringify(is)} instead of ${JSON.stringify(was)}`;
        return isSame;
      }),
    );
  }

  #sameParts(is: unknown, was: unknown, fields: Attributes): boolean {
    const [found, wanted] = [isParts(is) ? is : [], isParts(was) ? was : []];
    if (
      !isEqual(
        found.map(({ id }) => id),
        wanted.map(({ id }) => id),
      )
    )
      return false;
    return found.every((part) =>
      Object.keys(fields).every((name) => {
        this.compared += 1;
        const known = this.#parts.get(part.id) ?? {};
        known[name] ??= part[name];
        this.#parts.set(part.id, known);
        const isSame = String(part[name] ?? null) === String(known[name] ?? null);
        if (!isSame) this.difference = `entry ${part.id} ${name}: ${part[name]} instead of ${known[name]}`;
        return isSame;
      }),
    );
  }
}
