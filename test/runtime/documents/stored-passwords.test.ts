/** Publishing looks at what a draft holds; of a password it holds a hash, which the rules for passwords do not fit. */
import bcrypt from "bcrypt";
import { json, pgTable, varchar } from "drizzle-orm/pg-core";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { versionColumns, versionIndexes } from "../../../runtime/schema/columns.ts";
import { defineComponent, defineContentType } from "../../../runtime/schema/content-type.ts";
import { password } from "../../../runtime/schema/validators.ts";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";

const doors = pgTable(
  "doors",
  { ...versionColumns(), code: varchar("code", { length: 255 }), locks: json("locks") },
  (version) => versionIndexes(version),
);

const lock = defineComponent({ uid: "shared.lock", attributes: { code: { type: "password" } } });
const lockDraft = z.object({ code: password().max(8).nullish() });
const lockSchema = z.object({ code: password().max(8).regex(/^\d+$/).nullish() });

const door = defineContentType({
  uid: "api::door.door",
  kind: "collectionType",
  singularName: "door",
  pluralName: "doors",
  draftAndPublish: true,
  localized: false,
  table: doors,
  attributes: {
    code: { type: "password", column: doors.code },
    locks: { type: "component", component: "shared.lock", repeatable: true, column: doors.locks },
  },
});

const draftValidator = z.object({ code: password().max(8).nullish(), locks: z.array(lockDraft).optional() });
const validator = draftValidator.extend({
  code: password().min(4).max(8).regex(/^\d+$/),
  locks: z.array(lockSchema).optional(),
});

test("stored hashes are not checked against the rules for passwords; one that is missing still is", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  await createTables(database, { doors });
  const services = await testServices(
    {
      contentTypes: { "api::door.door": { type: door, validator, draftValidator } },
      components: { "shared.lock": { component: lock, validator: lockSchema } },
    },
    { database },
  );
  const documents = anyDocuments(services)("api::door.door");
  const create = async (data: Readonly<Record<string, unknown>>): Promise<string> => {
    const created: unknown = await documents.create({ data, status: "draft" });
    return z.object({ documentId: z.string() }).parse(created).documentId;
  };
  const set = await create({ code: "1234", locks: [{ code: "5678" }] });
  await expect(documents.publish(set)).resolves.toMatchObject({ documentId: set });
  const { documentId: copy = "" } = (await documents.clone(set)) ?? {};
  const stored = "select code, locks::json -> 0 ->> 'code' from doors where document_id = $1";
  expect(await database.rows(stored, [copy])).toEqual([[null, null]]);
  const unset = await create({ locks: [] });
  await expect(documents.publish(unset)).rejects.toMatchObject({
    details: { errors: [{ path: ["code"] }] },
  });
  await expect(create({ code: "123456789" })).rejects.toMatchObject({
    details: { errors: [{ path: ["code"], message: "code must be at most 8 characters" }] },
  });
});

test("a default password is stored as its hash, in drafts and published versions, and in entries of components", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  await createTables(database, { doors });
  const services = await testServices(
    {
      contentTypes: {
        "api::door.door": {
          type: door,
          validator: z.object({
            code: password().nullish().default("1234"),
            locks: z.array(z.object({ code: password().default("5678") })).optional(),
          }),
        },
      },
      components: { "shared.lock": { component: lock, validator: z.object({ code: password().default("5678") }) } },
    },
    { database },
  );
  const documents = anyDocuments(services)("api::door.door");
  const create = async (status: "draft" | "published"): Promise<string> => {
    const created: unknown = await documents.create({ data: { locks: [{}] }, status });
    return z.object({ documentId: z.string() }).parse(created).documentId;
  };
  const draft = await create("draft");
  await documents.publish(draft);
  await documents.update(await create("published"), { data: { locks: [{}, {}] } });
  const rows = await database.rows("select code, locks::text from doors");
  expect(rows).toHaveLength(4);
  for (const row of rows) {
    const [code, locks] = z.tuple([z.string(), z.string()]).parse(row);
    expect(await bcrypt.compare("1234", code)).toBe(true);
    const entries = z.array(z.object({ code: z.string() })).parse(JSON.parse(locks));
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(await bcrypt.compare("5678", entry.code)).toBe(true);
  }
  const own = await documents.create({ data: { code: null, locks: [{ code: "9" }] }, status: "draft" });
  const [row] = await database.rows("select code, locks::text from doors where document_id = $1", [
    z.object({ documentId: z.string() }).parse(own).documentId,
  ]);
  const [code, locks] = z.tuple([z.null(), z.string()]).parse(row);
  expect([
    code,
    await bcrypt.compare("9", z.array(z.object({ code: z.string() })).parse(JSON.parse(locks))[0]?.code ?? ""),
  ]).toEqual([null, true]);
});
