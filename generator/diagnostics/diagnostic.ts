/**
 * What is wrong with a schema file. Diagnostics are collected and printed together; nothing throws one.
 * They carry the path of the value they concern; lines and columns are worked out when they are printed.
 */

export type Severity = "error" | "warning";

/** Keys and indexes that lead from the top of a JSON file to a value. */
export type JsonPath = readonly (string | number)[];

export interface Place {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  /** Undefined when the problem is the file or folder itself. */
  readonly path: JsonPath | undefined;
  /** Whether the key is wrong, or its value. */
  readonly at: "key" | "value";
  /** Where the text itself is broken, in UTF-16 code units. */
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
  /** One sentence, lower case, without a full stop; names stand in double quotes. */
  readonly message: string;
  readonly place: Place;
  /** The name that was probably meant. */
  readonly suggestion: string | undefined;
  readonly related: readonly Related[];
}

/** One row of the table of codes: what can be wrong, and how it is said. */
export interface Problem<Parameters> {
  readonly code: string;
  readonly severity: Severity;
  /** What the code stands for, for the documentation. */
  readonly summary: string;
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

/** A stretch of a file that is no JSON. */
export const textAt = (file: string, range: TextRange): Place => ({ file, path: undefined, at: "value", range });

/** Takes what is wrong, as {@link diagnose} does. */
export type Report = <Parameters>(
  problem: Problem<Parameters>,
  place: Place,
  parameters: Parameters,
  extras?: Extras,
) => void;

/** True when one of them keeps files from being written. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");
