/** Which servers tell their state, by what they answer to the questions about it. */
import { expect, test } from "vitest";
import { postgresSnapshots } from "../../../runtime/database/snapshots.ts";
import { SOON } from "../../support/soon.ts";

/** A server of one kind, with a snapshot, the time of its start, whether it is a standby, and the process that answers. */
const server = { isOne: true, snapshot: "10:10:", started: "monday", isStandby: false, backend: 100 };

const statesOf = (told: typeof server, isElsewhere = () => false) =>
  postgresSnapshots(
    async (sql) =>
      sql.includes("version()")
        ? [[told.isOne]]
        : [[told.snapshot, told.started, String(told.isStandby), String(told.backend)]],
    isElsewhere,
  );

test("a state is the same until something is committed, or another server answers", async () => {
  const told = { ...server };
  const snapshots = statesOf(told);
  const first = await snapshots.current();
  expect(first).toBeDefined();
  expect(await snapshots.current()).toBe(first);
  told.snapshot = "10:11:";
  const second = await snapshots.current();
  expect(second).not.toBe(first);
  told.started = "tuesday";
  const third = await snapshots.current();
  expect(third).not.toBe(second);
  snapshots.forget();
  expect(await snapshots.current()).not.toBe(third);
});

test("after a crash that a pooler hides, a snapshot that comes again is another state", async () => {
  const told = { ...server };
  const snapshots = statesOf(told);
  const before = await snapshots.current();
  // A transaction that was rolled back is lost in a crash, and the next one gets its number. All processes are new ones.
  told.backend = 200;
  const after = await snapshots.current();
  expect(after).not.toBe(before);
  expect(await snapshots.current()).toBe(after);
  // Poolers change between processes that live at the same time.
  told.backend = 201;
  const other = await snapshots.current();
  for (const backend of [200, 201, 200]) {
    told.backend = backend;
    expect(await snapshots.current()).toBe(other);
  }
});

test("what is remembered of processes is bounded", async () => {
  const told = { ...server };
  const snapshots = statesOf(told);
  await snapshots.current();
  for (let count = 0; count < 1000; count += 1) {
    told.backend += 1;
    await snapshots.current();
  }
  const last = await snapshots.current();
  told.backend = server.backend;
  expect(await snapshots.current()).not.toBe(last);
});

test("standbys, and servers that count transactions otherwise, tell no state", async () => {
  expect(await statesOf({ ...server, isStandby: true }).current()).toBeUndefined();
  expect(await statesOf({ ...server, isOne: false }).current()).toBeUndefined();
});

test("a server of another kind may take the place of one that told its state", async () => {
  const told = { ...server };
  const snapshots = statesOf(told);
  expect(await snapshots.current()).toBeDefined();
  told.isOne = false;
  snapshots.forget();
  expect(await snapshots.current()).toBeUndefined();
  told.isOne = true;
  snapshots.forget();
  expect(await snapshots.current()).toBeDefined();
});

test("of which kind a server is holds for no other, which is asked when reads have come to it", async () => {
  const told = { ...server };
  let isElsewhere = true;
  const snapshots = statesOf(told, () => isElsewhere);
  expect(await snapshots.current()).toBeUndefined();
  [told.isOne, isElsewhere] = [false, false];
  expect(await snapshots.current()).toBeUndefined();
});

test("questions that come while one is asked share the next, and none gets an answer from before it came", async () => {
  const asked: (() => void)[] = [];
  let committed = 10;
  const snapshots = postgresSnapshots(async (sql) => {
    if (sql.includes("version()")) return [[true]];
    const snapshot = committed;
    await new Promise<void>((resolve) => void asked.push(resolve));
    return [[snapshot, "monday", "false", "100"]];
  });
  const early = snapshots.current();
  await expect.poll(() => asked.length).toBe(1);
  committed += 1;
  const late = [snapshots.current(), snapshots.current()];
  asked[0]?.();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.();
  expect(new Set(await Promise.all(late)).size).toBe(1);
  expect(await late[0]).not.toBe(await early);
  expect(asked).toHaveLength(2);
});

test("a question without an answer holds up neither later ones nor those who wait for it", async () => {
  const answers: ((snapshot: string) => void)[] = [];
  const snapshots = postgresSnapshots(async (sql) => {
    if (sql.includes("version()")) return [[true]];
    return [[await new Promise<string>((resolve) => void answers.push(resolve)), "monday", "false", "100"]];
  });
  const early = snapshots.current();
  await expect.poll(() => answers.length, SOON).toBe(1);
  const late = snapshots.current();
  await expect.poll(() => answers.length, SOON).toBe(2);
  answers[1]?.("11:11:");
  const known = await late;
  expect(known).toBeDefined();
  expect(await early).toBe(known);
  // What the first question is told in the end may be older: it is another state for those who ask from then on.
  answers[0]?.("10:10:");
  const after = snapshots.current();
  await expect.poll(() => answers.length, SOON).toBe(3);
  answers[2]?.("11:11:");
  expect(await after).not.toBe(known);
});
