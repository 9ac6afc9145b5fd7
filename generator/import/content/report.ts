/** Reports on single rows: a JSON line for each, and counts by kind for the terminal. */
import { createLineWriter } from "./line-writer.ts";

/** `lost` was not imported; `kept` was imported, but deserves attention. */
export type Weight = "lost" | "kept";

export interface Remark {
  readonly weight: Weight;
  readonly type: string;
  /** Of the row in the source. */
  readonly id?: number;
  readonly documentId?: string | null;
  readonly locale?: string | null;
  /** The path in the row, such as `sections[2].title`. */
  readonly attribute?: string;
  readonly reason: string;
  readonly value?: unknown;
}

export type Report = ReturnType<typeof createReport>;

/** Positions in lists do not distinguish remarks. */
const alike = ({ type, attribute, reason }: Remark): string =>
  `${type}${attribute === undefined ? "" : ` ${attribute.replace(/\[\d+\]/g, "[]")}`}: ${reason}`;

/** @throws SetupError, here or later, if the file cannot be written */
export const createReport = (file: string) => {
  const lines = createLineWriter(file);
  const counts = new Map<string, { readonly weight: Weight; readonly number: number }>();
  let lost = 0;
  return {
    add(remark: Remark): void {
      lines.write(remark);
      const key = alike(remark);
      counts.set(key, { weight: remark.weight, number: (counts.get(key)?.number ?? 0) + 1 });
      if (remark.weight === "lost") lost++;
    },
    /** The kinds with their counts, in order of first occurrence. */
    counts,
    get lost(): number {
      return lost;
    },
    /** Completes the file. */
    end: (): void => lines.end(),
  };
};
