/** A relation or media that goes on, and may be stored in another way. */
import type { Findings } from "../change.ts";
import type { AttributeOutline } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";
import { dare } from "../step.ts";

export type Linked = Extract<AttributeOutline, { kind: "relation" | "media" }>;

export const isLinked = (attribute: AttributeOutline): attribute is Linked =>
  attribute.kind === "relation" || attribute.kind === "media";

/** An attribute that goes on, on one way of a migration. */
export interface Move {
  readonly table: string;
  readonly before: Linked;
  readonly after: Linked;
  /** Whether what is new is filled before the transaction. */
  readonly isPrepared: boolean;
  /** The one type that targets have from now on, under its old and its new uid. */
  readonly onlyType: readonly string[] | undefined;
  /** The type that all targets have had so far, where from now on each names its own. */
  readonly givenType: string | undefined;
}

export const targetColumn = ({ kind }: Linked): string => (kind === "media" ? "file_id" : "document_id");
export const typeColumnOf = (attribute: Linked): string | undefined =>
  attribute.kind === "relation" ? attribute.typeColumn : undefined;
export const positionColumnOf = (attribute: Linked): string | undefined =>
  attribute.kind === "relation" ? attribute.positionColumn : undefined;

export const isMorph = (attribute: Linked): boolean =>
  attribute.kind === "relation" && attribute.target === undefined && attribute.storedBy === undefined;

/** `and "document_type" in (…)`, where some targets may have another type than the one that is left. */
export const ofType = ({ onlyType }: Move, typeColumn: string): string =>
  onlyType === undefined ? "" : `${quote(typeColumn)} in (${onlyType.map(literal).join(", ")})`;

export const othersGo = "targets of other types would be dropped";

/** The first of several goes on, or what has the type that is left, where that is allowed. */
export const mayNarrow = ({ draft }: Findings, was: string, is: string, reasons: readonly string[]): boolean =>
  reasons.length === 0 || dare(draft, `narrow:${was}`, `${was} becomes ${is}: ${reasons.join(", and ")}`);
