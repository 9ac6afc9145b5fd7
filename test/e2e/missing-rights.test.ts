/** What is told where a role of the database may not see which migrations were applied. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { cms } from "../support/cms.ts";
import { projectOnServer } from "../support/project.ts";

test("a role that may not use the schema, or not read what was applied, is told which right it lacks", async () => {
  const root = await projectOnServer();
  const env = path.join(root, ".env");
  const url = new URL((await readFile(env, "utf8")).replace(/^DATABASE_URL=/, "").trim());
  const admin = await openPostgres(url.href, 1);
  const role = `outsider${url.pathname.slice(-12)}`;
  onTestFinished(async () => {
    await admin.script(`drop owned by ${role}; drop role ${role}`);
    await admin.close();
  });
  await admin.script(`create role ${role} login password 'outsider'; revoke usage on schema public from public`);
  [url.username, url.password] = [role, "outsider"];
  await writeFile(env, `DATABASE_URL=${url.href}\n`);
  const lacks = async (right: string): Promise<void> => {
    const doctor = await cms(root, ["doctor", "--json"]);
    expect(doctor.stderr).toBe("");
    expect(JSON.parse(doctor.stdout).unread).toContain(`migrations: ${right}`);
    expect(doctor.stdout).not.toContain("pending");
    for (const command of [["migrate", "status"], ["migrate"], ["start", "--port", "0"]]) {
      expect(await cms(root, command)).toMatchObject({ code: 2, stderr: expect.stringContaining(right) });
    }
  };
  await lacks(
    `the role ${role} has no right to use the schema public. Grant it: grant usage on schema public to ${role};`,
  );
  await admin.script(`grant usage on schema public to ${role}`);
  await lacks(
    `the role ${role} has no right to read the applied migrations. Grant it: grant select on public.galley_migrations to ${role};`,
  );
});
