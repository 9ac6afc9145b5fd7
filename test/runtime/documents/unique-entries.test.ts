import { expect, test } from "vitest";
import { bothDatabases } from "../../support/database.ts";
import { idOf } from "../../support/document-id.ts";
import { openUniqueWorld } from "./unique-world.ts";

const faultsOf = async (write: Promise<unknown>): Promise<unknown> => {
  try {
    await write;
    return [];
  } catch (error) {
    return error instanceof Error && "details" in error ? error.details : error;
  }
};

/** The faults at these paths, and no others. */
const repeats = (...faults: readonly (readonly [path: string, value: unknown])[]) => ({
  errors: expect.toSatisfy((errors: readonly { path: readonly string[] }[]) => {
    const sorted = errors.toSorted((left, right) => (left.path.join(".") < right.path.join(".") ? -1 : 1));
    expect(sorted).toEqual(
      faults.map(([path, value]) => ({
        path: path.split("."),
        message: "This attribute must be unique",
        name: "ValidationError",
        value,
      })),
    );
    return true;
  }),
});

test.each(bothDatabases)(
  "a value in a component is refused when another published version has it there on %s",
  async (kind) => {
    const { pages: service } = await openUniqueWorld(kind);
    const create = (data: object, query: object = {}) => service.create({ data: { title: "page", ...data }, ...query });
    await create({
      tag: { code: "a" },
      links: [{ label: 'with "quotes" \\ and ,', order: 1.5, tag: { code: "deep" } }, { label: "second" }],
      sections: [
        { __component: "shared.link", label: "in the zone" },
        { __component: "shared.tag", code: "z" },
      ],
    });
    expect(await faultsOf(create({ tag: { code: "a" } }))).toEqual(repeats(["tag.code", "a"]));
    expect(
      await faultsOf(
        create({
          links: [
            { label: "new", order: 1.5 },
            { label: 'with "quotes" \\ and ,', tag: { code: "deep" } },
          ],
        }),
      ),
    ).toEqual(
      repeats(["links.0.order", 1.5], ["links.1.label", 'with "quotes" \\ and ,'], ["links.1.tag.code", "deep"]),
    );
    expect(
      await faultsOf(
        create({
          sections: [
            { __component: "shared.tag", code: "z" },
            { __component: "shared.link", label: "in the zone" },
          ],
        }),
      ),
    ).toEqual(repeats(["sections.0.code", "z"], ["sections.1.label", "in the zone"]));
    // Nothing that was refused is there, not as a draft either.
    expect(await service.find({ status: "draft" })).toHaveLength(1);
  },
);

test("the same value may stand at another place, in another locale, in a draft, and where there is none", async () => {
  const { pages: service, notes: others } = await openUniqueWorld("pglite");
  const create = (data: object, query: object = {}) => service.create({ data: { title: "page", ...data }, ...query });
  const first = idOf(
    await create({ tag: { code: "a" }, links: [{ label: "a" }, { label: null }, { label: "" }, { label: "" }] }),
  );
  await create({ others: [{ label: "a" }], links: [{ label: null }, { label: "", tag: { code: "a" } }] });
  await create({
    sections: [
      { __component: "shared.link", label: "a" },
      { __component: "shared.tag", code: "a" },
    ],
  });
  await create({ links: [{ label: "a" }] }, { locale: "fr" });
  await others.create({ data: { links: [{ label: "a" }] } });
  await create({ links: [{ secret: "s", hidden: false }] });
  await create({
    links: [
      { secret: "s", hidden: true },
      { secret: "s", hidden: true },
    ],
  });
  const draft = idOf(await create({ links: [{ label: "a" }, { label: "a" }] }, { status: "draft" }));
  expect(await faultsOf(service.publish(draft))).toEqual(repeats(["links.0.label", "a"], ["links.1.label", "a"]));
  expect(await faultsOf(service.update(first, { data: { links: [{ label: "a" }] } }))).toEqual([]);
  expect(await service.delete(first)).toBe(true);
  expect(await faultsOf(service.update(draft, { data: { links: [{ label: "a" }] } }))).toEqual([]);
});

test("a value that other locales get too is refused when somebody has it in one of them", async () => {
  const { pages: service } = await openUniqueWorld("pglite");
  const page = idOf(await service.create({ data: { title: "page" } }));
  await service.update(page, { data: { title: "page" }, locale: "fr" });
  await service.create({ data: { title: "other", shared: { code: "a" } }, locale: "fr" });
  const taken = repeats(["shared.code", "a"]);
  expect(await faultsOf(service.update(page, { data: { shared: { code: "a" } } }))).toEqual(taken);
  await service.update(page, { data: { shared: { code: "a" } }, status: "draft" });
  expect(await faultsOf(service.publish(page))).toEqual(taken);
  expect(await faultsOf(service.update(page, { data: { shared: { code: "b" } } }))).toEqual([]);
});

test("entries of one document do not repeat a value either", async () => {
  const { pages: service, notes: others } = await openUniqueWorld("pglite");
  const links = [{ label: "a" }, { label: "b" }, { label: "a" }];
  const expected = repeats(["links.0.label", "a"], ["links.2.label", "a"]);
  expect(await faultsOf(service.create({ data: { title: "page", links } }))).toEqual(expected);
  expect(await faultsOf(others.create({ data: { links } }))).toEqual(expected);
  const sections = [
    { __component: "shared.link", label: "a" },
    { __component: "shared.tag", code: "a" },
    { __component: "shared.link", label: "a" },
  ];
  expect(await faultsOf(service.create({ data: { title: "page", sections } }))).toEqual(
    repeats(["sections.0.label", "a"], ["sections.2.label", "a"]),
  );
});

test("all faults of a version come together", async () => {
  const { pages: service } = await openUniqueWorld("pglite");
  await service.create({ data: { title: "page", tag: { code: "a" } } });
  const details = await faultsOf(
    service.create({ data: { tag: { code: "a" }, links: [{ label: "x" }, { label: "x" }] } }),
  );
  expect(details).toMatchObject({
    errors: [
      { path: ["title"] },
      { path: ["links", "0", "label"] },
      { path: ["links", "1", "label"] },
      { path: ["tag", "code"] },
    ],
  });
});

test("of many writers of one value at once one wins", async () => {
  const { pages: service } = await openUniqueWorld("postgres");
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      faultsOf(
        service.create({ data: { title: `page ${index}`, links: [{ label: `own ${index}` }, { label: "the same" }] } }),
      ),
    ),
  );
  expect(outcomes.filter((outcome) => Array.isArray(outcome))).toHaveLength(1);
  for (const outcome of outcomes)
    if (!Array.isArray(outcome)) expect(outcome).toEqual(repeats(["links.1.label", "the same"]));
  expect(await service.find({ status: "draft" })).toHaveLength(1);
});

test("the number of statements does not grow with the number of entries", async () => {
  const { pages: service, statements } = await openUniqueWorld("pglite");
  const count = async (prefix: string, entries: number): Promise<number> => {
    const before = statements.length;
    const links = Array.from({ length: entries }, (_, index) => ({
      label: `${prefix} ${index}`,
      tag: { code: `${prefix}-${index}` },
    }));
    await service.create({ data: { title: "page", links } });
    return statements.length - before;
  };
  await count("first", 1);
  expect(await count("many", 30)).toBe(await count("few", 2));
});
