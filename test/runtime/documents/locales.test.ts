/** What the locales of a document share: attributes that are not localized are alike in all versions of one status. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isRecord } from "../../../runtime/base/is-record.ts";
import type { Status } from "../../../runtime/schema/document.ts";
import { idOf } from "../../support/document-id.ts";
import { RUNS } from "../../support/thorough.ts";
import { type Content, Model } from "./locales/model.ts";
import { createPages, FILES, LOCALES } from "./locales/world.ts";

const { pages, notes } = await createPages();
const POPULATE = ["boxes", "cover", "gallery"];

const listOf = (value: unknown, key: string): unknown[] =>
  Array.isArray(value) ? value.map((each: unknown) => (isRecord(each) ? each[key] : each)) : [];

/** A version as it is read, told like {@link Content}. */
const seen = (read: unknown): unknown =>
  isRecord(read)
    ? {
        title: read["title"],
        size: read["size"],
        boxes: listOf(read["boxes"], "text"),
        cover: isRecord(read["cover"]) ? read["cover"]["id"] : null,
        gallery: listOf(read["gallery"], "id"),
      }
    : null;

const locale = fc.constantFrom(...LOCALES);
const data: fc.Arbitrary<Partial<Content>> = fc.record(
  {
    title: fc.constantFrom("one", "two"),
    size: fc.nat(9),
    boxes: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
    cover: fc.constantFrom(...FILES),
    gallery: fc.uniqueArray(fc.constantFrom(...FILES)),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      locale,
      data,
      status: fc.constantFrom<Status>("draft", "published"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("publish", "unpublish", "discard", "remove"), locale }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const bodyOf = ({ boxes, ...rest }: Partial<Content>) => ({
  ...rest,
  ...(boxes ? { boxes: boxes.map((text) => ({ text })) } : {}),
});

/** Does the same to the document and to the model; steps that there is nothing for are left out. */
const apply = async (service: typeof pages, documentId: string, model: Model, taken: Step): Promise<void> => {
  const { locale: code } = taken;
  const versions = model.draft.size > 0 ? model.draft : model.published;
  switch (taken.kind) {
    case "write":
      await service.update(documentId, { data: bodyOf(taken.data), locale: code, status: taken.status });
      return model.write(code, taken.data, taken.status);
    case "publish":
      if (model.draft.has(code)) await service.publish(documentId, { locale: code });
      return model.publish(code);
    case "unpublish":
      if (!model.draft.has(code)) return;
      await service.unpublish(documentId, { locale: code });
      model.published.delete(code);
      return;
    case "discard":
      if (!model.draft.has(code) || !model.published.has(code)) return;
      await service.discardDraft(documentId, { locale: code });
      return model.discard(code);
    case "remove":
      // With its last locale the document would go.
      if (versions.size < 2) return;
      await service.delete(documentId, { locale: code });
      return model.remove(code);
  }
};

test.each([
  ["with drafts", pages, true],
  ["without drafts", notes, false],
])(
  "after every sequence of writes, the locales of a document %s share what is not localized",
  async (_, service, hasDrafts) => {
    await fc.assert(
      fc.asyncProperty(locale, data, fc.array(step, { maxLength: 12, size: "max" }), async (first, start, steps) => {
        const model = new Model(hasDrafts);
        const documentId = idOf(await service.create({ data: bodyOf(start), locale: first }));
        model.write(first, start, "published");
        for (const taken of steps) {
          await apply(service, documentId, model, taken);
          for (const status of ["draft", "published"] as const) {
            for (const code of LOCALES) {
              const read = await service.findOne(documentId, { locale: code, status, populate: POPULATE });
              const wanted = hasDrafts ? model[status].get(code) : model.published.get(code);
              expect(seen(read), `${status} ${code} after ${JSON.stringify(taken)}`).toEqual(wanted ?? null);
            }
          }
        }
      }),
      { numRuns: RUNS.locales },
    );
  },
);

test("a value that was changed in one locale does not come back when another is published", async () => {
  const documentId = idOf(await pages.create({ data: { title: "en", size: 1 }, locale: "en" }));
  await pages.update(documentId, { data: { title: "fr" }, locale: "fr" });
  await pages.update(documentId, { data: { size: 5 }, locale: "en" });
  await pages.update(documentId, { data: { title: "fr again" }, locale: "fr" });
  expect(await pages.findOne(documentId, { locale: "en" })).toMatchObject({ size: 5 });
});

test("a new locale takes over the files of the others, and does not take them away", async () => {
  const documentId = idOf(await pages.create({ data: { title: "en", gallery: [1, 2] }, locale: "en" }));
  await pages.update(documentId, { data: { title: "fr" }, locale: "fr" });
  for (const code of ["en", "fr"]) {
    const read = await pages.findOne(documentId, { locale: code, populate: ["gallery"] });
    expect(read).toMatchObject({ gallery: [{ id: 1 }, { id: 2 }] });
  }
});
