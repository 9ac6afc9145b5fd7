/** Errors of writes of many documents: each names the document that it is about. */
import { HttpError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { FieldError } from "../../schema/validation/check.ts";
import type { Attribution } from "./transaction.ts";

/** How errors refer to a document: in messages, such as `data[3]`, and in paths. */
export interface DocumentLabel {
  readonly text: string;
  readonly key: string;
}

/** The label of the document at an index of `data`. */
export const labelAt = (index: number): DocumentLabel => ({ text: `data[${index}]`, key: String(index) });

/** The labels of existing documents, by index. */
export const labelIn =
  (documentIds: readonly string[]) =>
  (index: number): DocumentLabel => {
    const documentId = documentIds[index] ?? "";
    return { text: documentId, key: documentId };
  };

const textsOf = (path: unknown): readonly string[] => (Array.isArray(path) ? path.map(String) : []);

/** The faults that an error lists, or the error itself if it lists none. */
const listedIn = ({ message, details }: HttpError): readonly FieldError[] => {
  const listed = details?.["errors"];
  if (!Array.isArray(listed)) return [{ path: [], message, name: "ValidationError" }];
  return listed.filter(isRecord).map((each) => ({
    path: textsOf(each["path"]),
    message: String(each["message"]),
    name: "ValidationError",
    ...("value" in each ? { value: each["value"] } : {}),
  }));
};

const below = ({ key }: DocumentLabel, fault: FieldError): FieldError => ({ ...fault, path: [key, ...fault.path] });

const errorOf = (label: DocumentLabel | undefined, faults: readonly FieldError[]): ValidationError => {
  const [first] = faults;
  if (!first) return new ValidationError();
  const path = label ? [label.text, ...first.path.slice(1)] : first.path;
  const more = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  return new ValidationError(`${path.join(".")}: ${first.message}${more}`, { errors: faults });
};

/** Adds the label to an error of one document; errors hidden from clients stay unchanged. */
export const labelled = (error: unknown, label: DocumentLabel): unknown => {
  if (!(error instanceof HttpError) || error.status >= 500) return error;
  if (error instanceof ValidationError) {
    return errorOf(
      label,
      listedIn(error).map((fault) => below(label, fault)),
    );
  }
  const { status, name, message, details } = error;
  return Object.assign(new HttpError(status, name, `${label.text}: ${message}`, details), { cause: error });
};

/** The faults of all documents, up to a limit. */
interface Found {
  readonly faults: FieldError[];
  /** The labels of the faults' documents, by their keys. */
  readonly labels: Map<string, DocumentLabel>;
}

/** Collects the faults of all documents, up to a limit. */
export class BulkErrors implements Attribution {
  readonly #labelAt: (index: number) => DocumentLabel;
  readonly #most: number;
  readonly #found: Found;

  /** @param most how many faults to report (`limits.bodyErrors`) */
  constructor(
    labelOf: (index: number) => DocumentLabel,
    most: number,
    found: Found = { faults: [], labels: new Map() },
  ) {
    this.#labelAt = labelOf;
    this.#most = most;
    this.#found = found;
  }

  /** Collects into the same list, but counts indices from the document at `start`. */
  from(start: number): BulkErrors {
    return new BulkErrors((index) => this.#labelAt(start + index), this.#most, this.#found);
  }

  get areAny(): boolean {
    return this.#found.faults.length > 0;
  }

  attribute(index: number, fault: FieldError): FieldError {
    const label = this.#labelAt(index);
    this.#found.labels.set(label.key, label);
    return below(label, fault);
  }

  errorOf(faults: readonly FieldError[]): ValidationError {
    return errorOf(this.#found.labels.get(faults[0]?.path[0] ?? ""), faults);
  }

  /**
   * Adds the error of the document at `index`.
   *
   * @throws the error with its label, if it is not a ValidationError
   * @throws ValidationError when the limit of faults is reached
   */
  note(index: number, error: unknown): void {
    if (!(error instanceof ValidationError)) throw labelled(error, this.#labelAt(index));
    this.#found.faults.push(...listedIn(error).map((fault) => this.attribute(index, fault)));
    if (this.#found.faults.length >= this.#most) this.demandNone();
  }

  /** Runs `work` for the document at `index`, and records its fault. */
  attempt<Result>(index: number, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.note(index, error);
      return undefined;
    }
  }

  /** @throws ValidationError listing all faults, if there are any */
  demandNone(): void {
    if (this.areAny) throw this.errorOf(this.#found.faults.slice(0, this.#most));
  }
}

/** Runs a write of each item, in a transaction that has already begun. */
export const oneByOne = async <Item, Result>(
  items: readonly Item[],
  labelFor: (index: number) => DocumentLabel,
  write: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    try {
      results.push(await write(item));
    } catch (error) {
      throw labelled(error, labelFor(index));
    }
  }
  return results;
};
