/** What code, GraphQL above all, may ask for beyond the query string. Instances cannot come out of a query string. */
import { randomUUID } from "node:crypto";
import type { Window } from "../query.ts";

/** A key that no client knows: what is kept by the text of a query is never taken for what a client has sent. */
const TRUSTED = `trusted ${randomUUID()}`;

/** What has no text of its own is told apart from what is not there: a filter whose value is missing is refused, not left out. */
const complete = (_key: string, value: unknown): unknown => {
  if (typeof value === "bigint") return String(value);
  const hasText = value !== undefined && typeof value !== "function" && typeof value !== "symbol";
  return hasText && !(typeof value === "number" && !Number.isFinite(value)) ? value : `none ${randomUUID()}`;
};

/** Filters that code of the application adds to those of a request: they may name what the caller may not. */
export class Trusted {
  readonly filters: object;

  constructor(filters: object) {
    this.filters = filters;
  }

  toJSON(): object {
    return { [TRUSTED]: JSON.stringify(this.filters, complete) };
  }
}

/** A status that no client knows the word of. */
class OwnStatus {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  toJSON(): string {
    return `${this.#name} ${TRUSTED}`;
  }
}

/**
 * A status that reads what is published, and drafts of what never was; callers who may not read drafts see what is
 * published.
 */
export const NEWEST = new OwnStatus("newest");

/** The same of the documents and of all that they lead to. Callers who may not read drafts of the documents are refused. */
export const PREVIEW = new OwnStatus("preview");

export interface SelectedOptions {
  /** Raw options as under `populate[attribute]`; true for none. */
  readonly options: Readonly<Record<string, unknown>> | true;
  readonly window?: Window | undefined;
  readonly status?: "published" | typeof NEWEST | undefined;
}

/** An entry of a populate object that shows `attribute` under a key of its own, in part, or in another status. */
export class Selected {
  readonly attribute: string;
  readonly options: SelectedOptions["options"];
  readonly window: Window | undefined;
  readonly status: SelectedOptions["status"];

  constructor(attribute: string, { options, window, status }: SelectedOptions) {
    this.attribute = attribute;
    this.options = options;
    this.window = window;
    this.status = status;
  }
}
