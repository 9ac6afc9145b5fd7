import { expect, test } from "vitest";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { createPreparation, PAUSE, RENEWAL } from "../../../runtime/database/postgres/preparation.ts";
import { freshPostgresUrl } from "../../support/database.ts";

const prepared = "select count(*) from pg_prepared_statements where statement like $1";

test("on one connection, statements of endless shapes are prepared up to a limit", async () => {
  const database = await openPostgres(await freshPostgresUrl(), 1);
  try {
    const count = async (like: string): Promise<number> => Number((await database.rows(prepared, [like]))[0]?.[0]);
    const hot = "select $1::int + 1 as hot";
    for (let number = 0; number < 3; number += 1) expect(await database.rows(hot, [number])).toEqual([[number + 1]]);
    expect(await count("%as hot%")).toBe(1);

    await database.rows("select 1 as once");
    expect(await count("%as once%")).toBe(0);

    const shapes = Array.from({ length: 1500 }, (_, index) => `select $1::int as shape_${index}`);
    for (const shape of [...shapes, ...shapes]) await database.rows(shape, [1]);
    expect(await count("%shape_%")).toBeLessThanOrEqual(500);
    expect(await count("%shape_%")).toBeGreaterThan(400);
    // What is not prepared answers alike, alone and within a transaction.
    const last = shapes.at(-1) ?? "";
    expect(await database.rows(last, [7])).toEqual([[7]]);
    expect(await database.transaction((session) => session.rows(last, [8]))).toEqual([[8]]);
    expect(await count("%as hot%")).toBe(1);
  } finally {
    await database.close();
  }
});

test("a statement is prepared when it comes again, and places are given anew after a time", () => {
  let now = 0;
  const { textOf } = createPreparation(() => now);
  const twice = (sql: string) => [textOf(sql), textOf(sql)];
  expect(twice("hot")).toEqual([undefined, "hot"]);
  for (let index = 0; index < 499; index += 1) twice(`shape ${index}`);
  expect(twice("late")).toEqual([undefined, undefined]);
  expect(textOf("hot")).toBe("hot");
  now += RENEWAL;
  expect(textOf("late")).toBe("late");
  expect(twice("hot")).toEqual([undefined, "hot"]);
});

const long = (index: number) => `shape ${index}`.padEnd(25_000, ".");

test("statements that are prepared have limited texts together", () => {
  const { textOf } = createPreparation();
  for (let index = 0; index < 100; index += 1) for (const sql of [long(index), long(index)]) textOf(sql);
  const prepared = Array.from({ length: 100 }, (_, index) => textOf(long(index))).filter(Boolean);
  expect(prepared).toHaveLength(80);
  expect(textOf(long(0))).toBe(long(0));
});

test("statements that are remembered have limited texts together", () => {
  const { textOf } = createPreparation();
  for (let index = 0; index < 100; index += 1) textOf(long(index));
  // The first of them was forgotten, the last was not.
  expect(textOf(long(99))).toBe(long(99));
  expect(textOf(long(0))).toBeUndefined();
});

test("very long statements are never prepared", () => {
  const { textOf } = createPreparation();
  const sql = "x".repeat(30_001);
  expect([textOf(sql), textOf(sql), textOf(sql)]).toEqual([undefined, undefined, undefined]);
});

test("when tables have changed nothing is prepared for a while, and then under other texts", () => {
  let now = 0;
  const { textOf, failed } = createPreparation(() => now);
  for (const sql of ["one", "one", "two", "two"]) textOf(sql);
  failed("one");
  for (const sql of ["one", "one", "two", "two"]) expect(textOf(sql)).toBeUndefined();
  now += PAUSE;
  expect(textOf("one")).toBe("one /* 1 */");
});

test("a statement that fails unprepared is not prepared, and changes nothing for others", () => {
  const { textOf, failed } = createPreparation();
  for (const sql of ["hot", "hot", "wrong"]) textOf(sql);
  failed("wrong");
  expect(textOf("wrong")).toBeUndefined();
  expect(textOf("hot")).toBe("hot");
});
