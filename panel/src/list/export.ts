/** Lists as files: what a list shows, on all of its pages. */
import { type ContentType, labelOf, mainAttribute, type Model } from "../api/description.ts";
import { type Document, type ListQuery, readPage } from "../api/documents.ts";
import { textOf } from "../edit/compare/text.ts";

export type Format = "csv" | "json";

const PAGE_SIZE = 100;

/** All documents of a list, page by page. `report` gets the number of those that were read. */
const readAll = async (
  model: Model,
  type: ContentType,
  query: ListQuery,
  report: (rows: number) => void,
): Promise<readonly Document[]> => {
  const rows: Document[] = [];
  for (let after: string | null = ""; after !== null;) {
    const page = await readPage(model, type, { ...query, after, pageSize: PAGE_SIZE });
    rows.push(...page.data);
    report(rows.length);
    ({ after } = page.meta.pagination);
  }
  return rows;
};

/**
 * Spreadsheets run what begins like a formula, so that is marked as text. Where lists are separated by semicolons, a cell
 * begins behind each of them.
 */
const harmless = (text: string): string =>
  Number.isNaN(Number(text)) ? text.replace(/^[=+\-@\t\r\n]/, "'$&").replaceAll(/([;\t])(?=[=+\-@])/g, "$1'") : text;

const cell = (text: string): string =>
  /[",\r\n;]/.test(text) ? `"${harmless(text).replaceAll('"', '""')}"` : harmless(text);

const columnsIn = (type: ContentType, { columns }: ListQuery): readonly string[] => {
  const main = mainAttribute(type.attributes);
  return [
    "documentId",
    ...(main === undefined ? [] : [main]),
    ...columns,
    ...(type.localized ? ["locale"] : []),
    "updatedAt",
  ];
};

/** The text of the file with a list. */
export const exportedList = async (
  model: Model,
  type: ContentType,
  query: ListQuery,
  format: Format,
  report: (rows: number) => void,
): Promise<string> => {
  const columns = columnsIn(type, query);
  const rows = await readAll(model, type, query, report);
  if (format === "json")
    return JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))),
      null,
      2,
    );
  const lines = [
    columns.map((name) => labelOf(type.attributes, name)),
    ...rows.map((row) => columns.map((name) => textOf(model, type.attributes[name], row[name]))),
  ];
  // The mark at the beginning tells spreadsheets that this is UTF-8.
  return `\uFEFF${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
};

const TYPES: Readonly<Record<Format, string>> = { csv: "text/csv;charset=utf-8", json: "application/json" };

/** Gives the user a text as a file. */
export const download = (name: string, format: Format, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[format] }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.${format}`;
  link.click();
  URL.revokeObjectURL(url);
};
