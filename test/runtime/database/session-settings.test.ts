/** What the server, the database or the role sets changes neither answers nor transactions. */
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";

const changed = {
  datestyle: "German, DMY",
  extra_float_digits: "-3",
  default_transaction_isolation: "serializable",
  standard_conforming_strings: "off",
  timezone: "Asia/Kolkata",
};

test("values are read as they are, and transactions see what others commit, whatever the database sets", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const before = await openPostgres(url, 1);
  const name = new URL(url).pathname.slice(1);
  for (const [setting, value] of Object.entries(changed))
    await before.script(`alter database "${name}" set ${setting} = '${value.replace(", ", "', '")}'`);
  await before.close();

  const database = await openPostgres(url, 1);
  onTestFinished(() => database.close());
  const values = String.raw`select '2020-02-01 10:00'::timestamp::text, '2020-02-01'::date::text, (0.1 + 0.2::float8)::text, '\\'`;
  const isolation = "select current_setting('transaction_isolation'), current_setting('timezone')";
  expect(await database.rows(values)).toEqual([
    ["2020-02-01 10:00:00", "2020-02-01", "0.30000000000000004", String.raw`\\`],
  ]);
  expect(await database.rows(isolation)).toEqual([["read committed", "UTC"]]);
  expect(await database.transaction((session) => session.rows(isolation))).toEqual([["read committed", "UTC"]]);
});
