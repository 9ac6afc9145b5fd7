/** `cms tasks list` and `cms tasks run`, by the project's own code. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput, cmsProcess } from "../support/cms.ts";
import { projectOnServer } from "../support/project.ts";

const app = `import { defineApp } from "galley-cms";

export default defineApp({
  tasks: {
    greet: {
      schedule: "0 3 1 1 *",
      timeZone: "UTC",
      async run({ services: { documents } }) {
        await documents("api::article.article").create({ data: { title: "Hello", slug: "hello" } });
      },
    },
    fail: {
      schedule: "0 4 1 1 *",
      run() {
        throw new Error("the search engine is away");
      },
    },
    strange: {
      schedule: "0 4 1 1 *",
      run() {
        throw Object.create(null);
      },
    },
    late: {
      schedule: "0 4 1 1 *",
      run: () =>
        new Promise<void>(() => {
          setTimeout(() => {
            throw new Error("too late to be caught");
          });
        }),
    },
  },
});
`;

test("tasks are listed with their next time, run by name, and fail as code of the project does", async () => {
  const root = await projectOnServer();
  expect(await cmsOutput(root, ["tasks", "list"])).toBe("There are no tasks.");
  await writeFile(path.join(root, "content-types/app.ts"), app);
  await cmsOutput(root, ["generate"]);
  const lines = (await cmsOutput(root, ["tasks", "list"])).split("\n").map((line) => line.split("\t"));
  expect(lines).toEqual([
    ["greet", "0 3 1 1 *", expect.stringMatching(/^\d{4}-01-01T03:00:00\.000Z$/)],
    ["fail", "0 4 1 1 *", expect.stringMatching(/^\d{4}-/)],
    ["strange", "0 4 1 1 *", expect.any(String)],
    ["late", "0 4 1 1 *", expect.any(String)],
  ]);
  expect(await cms(root, ["tasks", "run", "greet"])).toMatchObject({ code: 0, stderr: "✓ ran greet\n" });
  // The article is there: its slug is taken.
  const again = await cms(root, ["tasks", "run", "greet"]);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("This attribute must be unique");
  const failed = await cms(root, ["tasks", "run", "fail"]);
  expect(failed.code).toBe(2);
  expect(failed.stderr).toContain("the search engine is away");
  expect(failed.stderr).toContain("content-types/app.ts");
  expect(failed.stderr).not.toContain("fault of galley-cms");
  const strange = await cms(root, ["tasks", "run", "strange"]);
  expect(strange).toMatchObject({ code: 2, stderr: expect.stringContaining("null prototype") });
  const late = await cmsProcess(root, ["tasks", "run", "late"]);
  expect(late.stderr).toMatch(/code of the project has thrown Error: too late.*\n.*content-types\/app\.ts:\d/);
  expect(late.code).toBe(2);
  const unknown = await cms(root, ["tasks", "run", "gret"]);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "greet"?') });
});
