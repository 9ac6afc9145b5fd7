/** What a long queue costs: the plans of the statements that deliveries need. */
import { expect, test } from "vitest";
import { type Database, type Parameter, send, type Session } from "../../../runtime/database/database.ts";
import { codeConsumers } from "../../../runtime/events/consumers.ts";
import { logReader } from "../../../runtime/events/log-reader.ts";
import { queueOf } from "../../../runtime/events/queue.ts";
import { recording } from "../../../runtime/events/recorder.ts";
import { deleteOld } from "../../../runtime/events/retention.ts";
import { readLoad } from "../../../runtime/telemetry/queue-load.ts";
import { eventsDatabase } from "./world.ts";

const database = await eventsDatabase();

/** Deliveries that wait for each consumer, and how many of their events are old. */
const WAITING = 20_000;
const OLD = 6000;

type Sent = readonly [sql: string, parameters: readonly Parameter[] | undefined];

/** The same database, which notes what is sent to it. */
const noting = (sent: Sent[]): Database => {
  const noted = <Given extends Session>(session: Given): Given => ({
    ...session,
    rows: (sql: string, parameters?: readonly Parameter[]) => {
      sent.push([sql, parameters]);
      return session.rows(sql, parameters);
    },
  });
  return {
    ...noted(database),
    transaction: (work) => database.transaction((session) => work(noted(session))),
  };
};

interface Node {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The most rows that any step of a statement reads. */
const rowsRead = async ([sql, parameters]: Sent): Promise<number> => {
  let plan: Node | undefined;
  const rollback = new Error("as if it had not run");
  const explaining = database.transaction(async (session) => {
    const [row] = await session.rows(`explain (analyze, format json) ${sql}`, parameters);
    plan = JSON.parse(String(row?.[0]))[0].Plan;
    throw rollback;
  });
  await expect(explaining).rejects.toBe(rollback);
  const counts = (plan ? nodesOf(plan) : []).map(
    (node) => node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)),
  );
  return Math.max(...counts);
};

/** What the stream sends for a listener at the beginning, one near the end, and one that comes again. */
const readLog = async (sent: Sent[]): Promise<void> => {
  const log = logReader(noting(sent));
  await log.end();
  expect(await log.after(["0", "0"])).toHaveLength(200);
  expect(await log.after([String(WAITING / 100), "0"])).toHaveLength(1);
  expect(await log.isHeldUp()).toBe(false);
  expect(await log.placeOf(`evt_${WAITING - 10}`)).toBeDefined();
};

/** What a change sends, which is not run here: that would add to the queue. */
const record = async (sent: Sent[]): Promise<void> => {
  const event = { uid: "api::tag.tag", documentId: "d1", locale: null, entry: () => ({}) };
  const consumers = codeConsumers({ "entry.update": async () => {} });
  const bound = recording([{ ...event, name: "entry.update" }], { consumers: () => consumers, hasStream: true });
  const rows = async (...statement: Sent) => (sent.push(statement), []);
  if (bound) await send({ rows }, bound);
};

test("no statement reads further the longer a queue is", { timeout: 120_000 }, async () => {
  await database.rows(`insert into event_log (id, name, uid, document_id, locale, created_at, entry, transaction)
    select 'evt_' || number, 'entry.update', 'api::tag.tag', 'd' || number % ${WAITING / 2}, null, now() at time zone 'utc', '{}',
      number / 100 from generate_series(1, ${WAITING}) as number`);
  await database.rows(`insert into event_deliveries (consumer, position, document_id, state, attempts, due_at)
    select consumer, position, document_id, 'pending', 0, created_at + case consumer when 'later' then interval '1 hour' else '0' end
    from event_log, unnest(array['waiting', 'later']) as consumer`);
  await database.script("analyze event_log; analyze event_deliveries");
  const sent: Sent[] = [];
  for (const consumer of ["waiting", "later", "other"]) {
    const queue = queueOf(noting(sent), consumer, 25);
    for (const [index, claimed] of (await queue.claim(10)).entries()) {
      await queue.extend(claimed);
      if (index % 2 === 0) await queue.end(claimed, "done", { isDone: true }, 1);
      else await queue.postpone(claimed, 3600, { isDone: false, error: "failed" }, 1);
    }
  }
  await deleteOld(noting(sent), { days: 7 } as never, ["waiting", "later"]);
  await readLog(sent);
  await record(sent);
  const read = await Promise.all(sent.map(async (each) => [each[0].slice(0, 60), await rowsRead(each)] as const));
  expect(read.filter(([, rows]) => rows > 2000)).toEqual([]);
  expect(read.length).toBeGreaterThan(30);
  // Metrics count what waits for a consumer, but read nothing of the others.
  const counting: Sent[] = [];
  await readLoad(noting(counting), [{ name: "later" }]);
  expect(await Promise.all(counting.map(rowsRead))).toEqual([WAITING]);
  // What is old is found all the same; five whose attempt was postponed stand behind what is younger.
  await database.rows("update event_log set created_at = created_at - interval '8 days' where position <= $1", [OLD]);
  await deleteOld(database, { days: 7 } as never, ["later"]);
  const left =
    "select consumer, count(*)::int from event_deliveries where state = 'pending' group by consumer order by 1";
  expect(await database.rows(left)).toEqual([
    ["later", WAITING],
    ["waiting", WAITING - OLD + 5],
  ]);
  await database.rows("delete from event_deliveries where position <= $1", [OLD]);
  await deleteOld(database, { days: 7 } as never, ["later"]);
  expect(await database.rows("select min(position)::int, count(*)::int from event_log")).toEqual([
    [OLD + 1, WAITING - OLD],
  ]);
});
