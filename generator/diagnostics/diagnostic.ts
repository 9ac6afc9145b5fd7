/**
 * Problems in schema files. Diagnostics are collected and printed together, never thrown. They carry the path of the
 * affected value; lines and columns are computed when printing.
 */

export type Severity = "error" | "warning";

/** Keys and indexes from the root of a JSON file to a value. */
export type JsonPath = readonly (string | number)[];

export interface Place {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  /** Undefined if the problem is the file or folder itself. */
  readonly path: JsonPath | undefined;
  /** Whether the key or its value is wrong. */
  readonly at: "key" | "value";
  /** Where the text itself is malformed, in UTF-16 code units. */
  readonly range?: TextRange;
}

export interface TextRange {
  readonly start: number;
  readonly length: number;
}

export interface Related {
  readonly place: Place;
  readonly message: string;
}

export interface Diagnostic {
  /** `CMS2003`. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence, lower case, without a full stop; names are in double quotes. */
  readonly message: string;
  readonly place: Place;
  /** The name that was probably intended. */
  readonly suggestion: string | undefined;
  readonly related: readonly Related[];
}

/** One row of the table of codes: a problem and its message. `docs/reference/diagnostics.md` explains each code. */
export interface Problem<Parameters> {
  readonly code: string;
  readonly severity: Severity;
  readonly message: (parameters: Parameters) => string;
}

interface Extras {
  readonly suggestion?: string | undefined;
  readonly related?: readonly Related[];
}

/** The value at `path` of `file`. */
export const valueAt = (file: string, ...path: JsonPath): Place => ({ file, path, at: "value" });

/** The key at the end of `path`. */
export const keyAt = (file: string, ...path: JsonPath): Place => ({ file, path, at: "key" });

/** The file as a whole. */
export const wholeFile = (file: string): Place => ({ file, path: undefined, at: "value" });

/** Reports `problem` at `place`; the message is made from `parameters`. */
export const diagnose = <Parameters>(
  problem: Problem<Parameters>,
  place: Place,
  parameters: Parameters,
  extras: Extras = {},
): Diagnostic => ({
  code: problem.code,
  severity: problem.severity,
  message: problem.message(parameters),
  place,
  suggestion: extras.suggestion,
  related: extras.related ?? [],
});

/** A range of a file that is not JSON. */
export const textAt = (file: string, range: TextRange): Place => ({ file, path: undefined, at: "value", range });

/** Receives problems, as {@link diagnose} does. */
export type Report = <Parameters>(
  problem: Problem<Parameters>,
  place: Place,
  parameters: Parameters,
  extras?: Extras,
) => void;

/** True if one of them prevents writing files. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");
