/**
 * Ids for imported rows: those of the source if they are free, else all of a table's ids plus an offset past the taken
 * ones. The decision is stored in case the import is killed and run again.
 */
import { SetupError } from "../../../runtime/base/thrown.ts";
import { numberOf, type Session } from "../../../runtime/database/database.ts";
import { quote } from "../../migrate/sql.ts";

/** The offset added to the source's ids. */
export type Offset = number;

/** The import that ids are reserved for. */
export interface Reservation {
  /** Identifies the archive. */
  readonly archive: string;
  /** Leaves sequences alone: changes to them cannot be rolled back. */
  readonly isDry: boolean;
}

const remembered = async (session: Session, archive: string, name: string, value: number): Promise<Offset> => {
  await session.rows(
    "insert into cms_import.reserved (archive, name, value) values ($1, $2, $3) on conflict do nothing",
    [archive, name, value],
  );
  const [row] = await session.rows("select value from cms_import.reserved where archive = $1 and name = $2", [
    archive,
    name,
  ]);
  return numberOf(row?.[0]);
};

const LARGEST = 2_147_483_647;

/** @throws SetupError if an import would need ids beyond the maximum */
const demandRoom = (name: string, last: number): void => {
  if (last <= LARGEST) return;
  throw new SetupError(`The ids of ${name} would go up to ${last}, and ${LARGEST} is the largest there is.`);
};

/** Keeps the sequence from handing out ids up to `last`. */
const raise = async (session: Session, sequence: string, last: number, isDry: boolean): Promise<void> => {
  if (last < 1 || isDry) return;
  await session.rows(`select setval($1::text::regclass, greatest($2::bigint, (select last_value from ${sequence})))`, [
    sequence,
    last,
  ]);
};

/** The source of ids: what they identify, their sequence, and the largest one taken. */
interface Numbers {
  readonly name: string;
  readonly sequence: string;
  readonly taken: number;
}

const reserve = async (
  session: Session,
  { archive, isDry }: Reservation,
  { name, sequence, taken }: Numbers,
  highest: number,
): Promise<Offset> => {
  const offset = await remembered(session, archive, name, taken);
  demandRoom(name, offset + highest);
  await raise(session, sequence, offset + highest, isDry);
  return offset;
};

/**
 * Reserves ids of the table.
 *
 * @param highest the highest id in the source, times the versions that a row may become
 */
export const reserveIds = async (
  session: Session,
  reservation: Reservation,
  table: string,
  highest: number,
): Promise<Offset> => {
  const [[sequence, taken] = []] = await session.rows(
    `select pg_get_serial_sequence($1, 'id'), coalesce(max(id), 0)::int from ${quote(table)}`,
    [quote(table)],
  );
  return reserve(session, reservation, { name: table, sequence: String(sequence), taken: numberOf(taken) }, highest);
};

/** The same for component entries, all of which share one sequence. */
export const reserveComponentIds = async (
  session: Session,
  reservation: Reservation,
  highest: number,
): Promise<Offset> => {
  const name = "component_ids";
  const [[taken] = []] = await session.rows(
    `select (case when is_called then last_value else 0 end)::int from ${name}`,
  );
  return reserve(session, reservation, { name, sequence: name, taken: numberOf(taken) }, highest);
};
