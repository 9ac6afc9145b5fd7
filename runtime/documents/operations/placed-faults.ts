/** Faults in several documents that are written together: each fault names its document. */
import { HttpError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { FieldError } from "../../schema/validation/check.ts";
import type { Placing } from "../plan/together.ts";

/** How a document is named in messages, such as `data[3]`, and in paths. */
export interface Place {
  readonly label: string;
  readonly key: string;
}

const textsOf = (path: unknown): readonly string[] => (Array.isArray(path) ? path.map(String) : []);

/** The faults that an error lists; if it lists none, the error itself. */
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

const inPlace = ({ key }: Place, fault: FieldError): FieldError => ({ ...fault, path: [key, ...fault.path] });

const errorOf = (places: readonly Place[], faults: readonly FieldError[]): ValidationError => {
  const [first] = faults;
  if (!first) return new ValidationError();
  const [key = "", ...path] = first.path;
  const label = places.find((place) => place.key === key)?.label;
  const more = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  const at = label === undefined ? first.path.join(".") : [label, ...path].join(".");
  return new ValidationError(`${at}: ${first.message}${more}`, { errors: faults });
};

/** How faults are assigned to documents at `places`. */
export const placingAt = (places: readonly Place[]): Placing => ({
  place: (index, fault) => (places[index] ? inPlace(places[index], fault) : fault),
  errorOf: (faults) => errorOf(places, faults),
});

/** Adds the place to an error of one document; errors that clients do not see stay unchanged. */
export const placed = (error: unknown, place: Place): unknown => {
  if (!(error instanceof HttpError) || error.status >= 500) return error;
  if (error instanceof ValidationError) {
    return errorOf(
      [place],
      listedIn(error).map((fault) => inPlace(place, fault)),
    );
  }
  const { status, name, message, details } = error;
  return Object.assign(new HttpError(status, name, `${place.label}: ${message}`, details), { cause: error });
};

/** Collects the faults of all documents, up to a limit. */
export class Faults {
  readonly #places: readonly Place[];
  readonly #most: number;
  readonly #faults: FieldError[];

  /** @param most how many faults to report (`limits.bodyErrors`) */
  constructor(places: readonly Place[], most: number, faults: readonly FieldError[] = []) {
    this.#places = places;
    this.#most = most;
    this.#faults = [...faults];
  }

  /** A copy with the faults so far, for another attempt. */
  copy(): Faults {
    return new Faults(this.#places, this.#most, this.#faults);
  }

  /**
   * Adds the error of the document at `index`.
   *
   * @throws the error with its place, if it is not a ValidationError
   * @throws ValidationError when the limit of faults is reached
   */
  note(index: number, error: unknown): void {
    const place = this.#places[index];
    if (!place) throw error;
    if (!(error instanceof ValidationError)) throw placed(error, place);
    this.#faults.push(...listedIn(error).map((fault) => inPlace(place, fault)));
    if (this.#faults.length >= this.#most) this.demandNone();
  }

  /** @throws ValidationError listing all faults, if there are any */
  demandNone(): void {
    if (this.#faults.length > 0) throw errorOf(this.#places, this.#faults.slice(0, this.#most));
  }
}
