import pc from "picocolors";
import type { Severity } from "./diagnostic.ts";
import type { LocatedDiagnostic, Position } from "./positions.ts";

type Paint = (text: string) => string;

/** The colours of a printed diagnostic. */
export type Palette = Readonly<Record<"red" | "yellow" | "cyan" | "dim" | "bold", Paint>>;

/** No colours: for files, pipes and `NO_COLOR`. */
const plain: Palette = pc.createColors(false);

/** The maximum columns of source shown; of longer lines, the part around the caret. */
const FRAME_WIDTH = 110;
const BEFORE_CARET = 60;
const CUT = "…";

/** Control characters must not reach a terminal; tabs may. */
const printable = (text: string): string => text.replaceAll(/(?!\t)\p{Cc}/gu, "\u{FFFD}");

const cutAround = (line: string, { column, width }: Position) => {
  const from = line.length > FRAME_WIDTH ? Math.max(0, column - 1 - BEFORE_CARET) : 0;
  const to = from + FRAME_WIDTH;
  const head = from > 0 ? CUT : "";
  const source = head + line.slice(from, to) + (to < line.length ? CUT : "");
  const before = head + line.slice(from, column - 1);
  return {
    source: printable(source),
    // Tabs stay, so that the caret aligns with its text at any tab width.
    indent: before.replaceAll(/[^\t]/gu, " "),
    width: Math.min(width, Math.max(1, to - column + 1)),
  };
};

const heading = (file: string, position: Position | undefined): string =>
  position ? `${file}:${position.line}:${position.column}` : file;

const frame = (position: Position, line: string, palette: Palette, paint: Paint): string[] => {
  const { source, indent, width } = cutAround(line, position);
  const gutter = " ".repeat(String(position.line).length);
  return [
    "",
    `${palette.dim(`${position.line} |`)} ${source}`,
    `${palette.dim(`${gutter} |`)} ${indent}${paint("^".repeat(width))}`,
  ];
};

const printOne = (diagnostic: LocatedDiagnostic, palette: Palette): string => {
  const { severity, code, message, place, position, sourceLine, suggestion, related } = diagnostic;
  const paint = severity === "error" ? palette.red : palette.yellow;
  const gutter = " ".repeat(String(position?.line ?? "").length);
  return [
    `${palette.cyan(heading(place.file, position))} - ${paint(severity)} ${palette.dim(`${code}:`)} ${message}`,
    ...(position && sourceLine !== undefined ? frame(position, sourceLine, palette, paint) : []),
    ...(suggestion === undefined
      ? []
      : [`${gutter} ${palette.dim("= help:")} did you mean ${JSON.stringify(suggestion)}?`]),
    ...related.map(
      ({ place, position, message }) =>
        `${gutter} ${palette.dim("= see:")} ${palette.cyan(heading(place.file, position))}: ${message}`,
    ),
  ].join("\n");
};

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** `3 errors in 2 files; nothing was written`. */
export const summarize = (diagnostics: readonly LocatedDiagnostic[]): string => {
  const of = (severity: Severity) => diagnostics.filter((diagnostic) => diagnostic.severity === severity);
  const [errors, warnings] = [of("error"), of("warning")];
  const files = new Set(diagnostics.map(({ place }) => place.file)).size;
  const counts = [
    ...(errors.length > 0 ? [count(errors.length, "error")] : []),
    ...(warnings.length > 0 ? [count(warnings.length, "warning")] : []),
  ].join(" and ");
  return `${counts} in ${count(files, "file")}${errors.length > 0 ? "; nothing was written" : ""}`;
};

/** The text for a terminal, with a final newline; empty if there are no diagnostics. */
export const printDiagnostics = (diagnostics: readonly LocatedDiagnostic[], palette: Palette = plain): string =>
  diagnostics.length === 0
    ? ""
    : `${[...diagnostics.map((diagnostic) => printOne(diagnostic, palette)), palette.bold(summarize(diagnostics))].join("\n\n")}\n`;

/** The same as machine-readable data (`--json`): 1-based lines and columns, absent values omitted. */
export const diagnosticsToJson = (diagnostics: readonly LocatedDiagnostic[]) =>
  diagnostics.map(({ code, severity, message, place, position, suggestion, related }) => ({
    code,
    severity,
    message,
    file: place.file,
    ...position,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(related.length === 0
      ? {}
      : { related: related.map(({ place, position, message }) => ({ message, file: place.file, ...position })) }),
  }));
