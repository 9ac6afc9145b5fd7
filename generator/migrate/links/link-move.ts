/** A relation or media attribute that continues, possibly stored in another way. */
import type { Findings } from "../change.ts";
import type { AttributeOutline } from "../snapshot.ts";
import { countRows, literal, quote } from "../sql.ts";
import { dare } from "../step.ts";

export type Linked = Extract<AttributeOutline, { kind: "relation" | "media" }>;

export const isLinked = (attribute: AttributeOutline): attribute is Linked =>
  attribute.kind === "relation" || attribute.kind === "media";

/** An attribute that continues, in one direction of a migration. */
export interface Move {
  readonly table: string;
  /** Its old name. */
  readonly tableBefore: string;
  readonly before: Linked;
  readonly after: Linked;
  /** Whether the new storage is filled before the transaction. */
  readonly isPrepared: boolean;
  /** The only type that targets may have from now on, under its old and its new uid. */
  readonly onlyType: readonly string[] | undefined;
  /** The type of all targets so far, if each link names its own from now on. */
  readonly givenType: string | undefined;
}

export const targetColumn = ({ kind }: Linked): string => (kind === "media" ? "file_id" : "document_id");
export const typeColumnOf = (attribute: Linked): string | undefined =>
  attribute.kind === "relation" ? attribute.typeColumn : undefined;
export const positionColumnOf = (attribute: Linked): string | undefined =>
  attribute.kind === "relation" ? attribute.positionColumn : undefined;

export const isMorph = (attribute: Linked): boolean =>
  attribute.kind === "relation" && attribute.target === undefined && attribute.storedBy === undefined;

/** `and "document_type" in (…)`, if some targets may have another type than the remaining one. */
export const ofType = ({ onlyType }: Move, typeColumn: string): string =>
  onlyType === undefined ? "" : `${quote(typeColumn)} in (${onlyType.map(literal).join(", ")})`;

export const othersGo = "targets of other types would be dropped";

/** Counts those in their old table, by old names. */
export const countOthers = ({ draft }: Findings, move: Move, place: string): void => {
  const { before, tableBefore } = move;
  const typeColumn = typeColumnOf(before) ?? "document_type";
  draft.concerns.push({
    what: `targets of other types in ${place}`,
    sql: countRows(before.link ?? tableBefore, `not (${ofType(move, typeColumn)})`),
  });
};

/** Keeps the first of several, or those of the remaining type, if that is allowed. */
export const mayNarrow = ({ draft }: Findings, was: string, is: string, reasons: readonly string[]): boolean =>
  reasons.length === 0 || dare(draft, `narrow:${was}`, `${was} becomes ${is}: ${reasons.join(", and ")}`);
