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

export interface Count {
  readonly weight: Weight;
  readonly number: number;
}

export interface Report {
  add(remark: Remark): void;
  /** The kinds with their counts, in order of first occurrence. */
  readonly counts: ReadonlyMap<string, Count>;
  readonly lost: number;
  /** Completes the file. */
  end(): void;
}

/** Positions in lists do not distinguish remarks. */
const alike = ({ type, attribute, reason }: Remark): string =>
  `${type}${attribute === undefined ? "" : ` ${attribute.replace(/\[\d+\]/g, "[]")}`}: ${reason}`;

/** @throws SetupError, here or later, if the file cannot be written */
export const createReport = (file: string): Report => {
  const lines = createLineWriter(file);
  const counts = new Map<string, Count>();
  let lost = 0;
  return {
    add(remark) {
      lines.write(remark);
      const key = alike(remark);
      counts.set(key, { weight: remark.weight, number: (counts.get(key)?.number ?? 0) + 1 });
      if (remark.weight === "lost") lost++;
    },
    counts,
    get lost() {
      return lost;
    },
    end: () => lines.end(),
  };
};
