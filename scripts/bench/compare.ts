/** Rows of the tables: two sides in interleaved rounds, and the medians of them. */
import { type Measured, measure, type Side, warmUp } from "./measure.ts";

export interface Rounds {
  readonly count: number;
  /** Of each side in each round. */
  readonly seconds: number;
}

/** Whose CPU is counted beside that of the servers. */
export interface DatabaseProcess {
  readonly pid: number;
}

type Pair = Readonly<Record<"own" | "other", Measured>>;

const median = (numbers: readonly number[]): number => {
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

const inRounds = async (own: Side, other: Side, database: DatabaseProcess, rounds: Rounds): Promise<Pair[]> => {
  await warmUp(own);
  await warmUp(other);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds.count; round += 1) {
    const measured = await measure(own, database, rounds.seconds);
    pairs.push({ own: measured, other: await measure(other, database, rounds.seconds) });
  }
  return pairs;
};

const speedOf = (pairs: readonly Pair[]): number =>
  median(pairs.map(({ own, other }) => own.perSecond / other.perSecond));

export const printCostHead = (own: string, other: string): void =>
  printHead(["request", `${own}: µs CPU, Node + PostgreSQL`, other, "CPU ratio", "goal", "requests/s ratio"]);

/** What both cost, and how many times the other's the first one's is. */
export const printCost = async (own: Side, other: Side, database: DatabaseProcess, rounds: Rounds): Promise<void> => {
  const pairs = await inRounds(own, other, database, rounds);
  const cost = median(pairs.map((pair) => total(pair.own) / total(pair.other)));
  const parts = (side: keyof Pair): string => {
    const of = (key: keyof Measured): string => median(pairs.map((pair) => pair[side][key])).toFixed(0);
    return `${of("node")} + ${of("postgres")}`;
  };
  const { name, goal } = own.request;
  const verdict = goal === undefined ? "none" : `${goal} ${cost <= goal ? "met" : "missed"}`;
  console.log(line([name, parts("own"), parts("other"), cost.toFixed(2), verdict, speedOf(pairs).toFixed(2)]));
};

export const printSpeedHead = (): void =>
  printHead(["request", "ours: requests/s", "the peer's", "times as many", "answers"]);

/** How many requests both answer in a second, of which the other may run anywhere. */
export const printSpeed = async (
  own: Side,
  other: Side,
  { database, rounds, alike }: { readonly database: DatabaseProcess; readonly rounds: Rounds; readonly alike: boolean },
): Promise<void> => {
  const pairs = await inRounds(own, other, database, rounds);
  const of = (side: keyof Pair): string => median(pairs.map((pair) => pair[side].perSecond)).toFixed(0);
  const cells = [own.request.name, of("own"), of("other"), speedOf(pairs).toFixed(1), alike ? "alike" : "differ"];
  console.log(line(cells));
};
