/** Table rows: two or three sides in interleaved rounds, and their medians. */
import { type Measured, measure, type Side, warmUp } from "./measure.ts";

export interface Rounds {
  readonly count: number;
  /** Per side and round. */
  readonly seconds: number;
}

/** Processes whose CPU is counted besides the servers'. */
export interface DatabaseProcess {
  readonly pid: number;
}

/** The costs of the sides in one round. */
interface Round {
  readonly own: Measured;
  readonly other: Measured;
  readonly limit?: Measured;
}

/** The sides of a row: `limit` is a server that does as little as possible. */
export interface Sides {
  readonly own: Side;
  readonly other: Side;
  readonly limit?: Side | undefined;
}

export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

const total = ({ node, postgres }: Measured): number => node + postgres;

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const printHead = (cells: readonly string[]): void => {
  console.log(line(cells));
  console.log(line(cells.map(() => "---")));
};

const inRounds = async (
  { own, other, limit }: Sides,
  database: DatabaseProcess,
  { count, seconds }: Rounds,
): Promise<Round[]> => {
  for (const side of [own, other, limit]) if (side) await warmUp(side);
  const rounds: Round[] = [];
  for (let round = 0; round < count; round += 1) {
    rounds.push({
      own: await measure(own, database, seconds),
      other: await measure(other, database, seconds),
      ...(limit ? { limit: await measure(limit, database, seconds) } : {}),
    });
  }
  return rounds;
};

const speedOf = (rounds: readonly Round[]): number =>
  median(rounds.map(({ own, other }) => own.perSecond / other.perSecond));

export const printCostHead = (own: string, other: string, limit?: string): void => {
  const more = limit === undefined ? [] : [limit, `multiple of ${limit}`];
  printHead(["request", `${own}: µs CPU, Node + PostgreSQL`, other, "CPU ratio", "goal", "requests/s ratio", ...more]);
};

/** Prints the cost of each side, and the first one's as a multiple of the others'. */
export const printCost = async (sides: Sides, database: DatabaseProcess, rounds: Rounds): Promise<void> => {
  const measured = await inRounds(sides, database, rounds);
  const costs = (side: keyof Round): Measured[] => measured.flatMap((round) => round[side] ?? []);
  const ratio = (side: keyof Round): number =>
    median(costs(side).map((cost, round) => total(costs("own")[round] ?? cost) / total(cost)));
  const parts = (side: keyof Round): string => {
    const of = (key: keyof Measured): string => median(costs(side).map((cost) => cost[key])).toFixed(0);
    return `${of("node")} + ${of("postgres")}`;
  };
  const { name, goal } = sides.own.request;
  const verdict = goal === undefined ? "none" : `${goal} ${ratio("other") <= goal ? "met" : "missed"}`;
  const more = sides.limit ? [parts("limit"), ratio("limit").toFixed(2)] : [];
  const cells = [name, parts("own"), parts("other"), ratio("other").toFixed(2), verdict, speedOf(measured).toFixed(2)];
  console.log(line([...cells, ...more]));
};

export const printSpeedHead = (): void =>
  printHead(["request", "ours: requests/s", "the peer's", "times as many", "answers"]);

/** Requests per second of both servers, of which the other one may run anywhere. */
export const printSpeed = async (
  own: Side,
  other: Side,
  { database, rounds, alike }: { readonly database: DatabaseProcess; readonly rounds: Rounds; readonly alike: boolean },
): Promise<void> => {
  const measured = await inRounds({ own, other }, database, rounds);
  const of = (side: "own" | "other"): string => median(measured.map((round) => round[side].perSecond)).toFixed(0);
  const cells = [own.request.name, of("own"), of("other"), speedOf(measured).toFixed(1), alike ? "alike" : "differ"];
  console.log(line(cells));
};
