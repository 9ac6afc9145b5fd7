/** The panel of a project that `cms init` began, with nothing but the link that its first start prints. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { enteredPage, violations } from "../panel/panel-app.ts";
import { serve } from "../support/cms.ts";
import { migratedProject } from "../support/project.ts";
import { SOON } from "../support/soon.ts";

const extensions = (label: string): string => `import { definePanel } from "galley-cms/panel";

export default definePanel({
  pages: [{ path: "own", title: "${label}", Content: () => <h1>Hello</h1> }],
});
`;

test("the printed link leads to a first article, to what cms doctor finds, and to pages of the project that follow their file", async () => {
  const root = await migratedProject();
  const config = path.join(root, "cms.config.ts");
  await writeFile(config, (await readFile(config, "utf8")).replace("defineConfig({", "defineConfig({\n  panel: {},"));
  await mkdir(path.join(root, "panel"));
  const own = path.join(root, "panel", "extensions.tsx");
  await writeFile(own, extensions("First"));
  const { url, output } = await serve(root, {}, { command: "dev" });
  await vi.waitFor(() => expect(output.stdout).toContain("/admin/welcome#"), SOON);
  const [, invitation = ""] = /\/admin(\/welcome#[0-9a-f]+)/.exec(output.stdout) ?? [];
  const page = await enteredPage({ panel: `${url}/admin`, invitation });

  await page.getByRole("link", { name: "Create Article" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Low water");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Published", { exact: true }).first().waitFor();

  await page.getByRole("link", { name: "Findings" }).click();
  await page.getByText(/^Found by cms doctor on/).waitFor();
  await page
    .getByText("Nothing is wrong")
    .or(page.getByRole("columnheader", { name: "What was found" }))
    .waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("link", { name: "First" }).waitFor();
  await writeFile(own, extensions("Second"));
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole("button", { name: "Your account" }).waitFor();
      return page.getByRole("link", { name: "Second" }).count();
    }, SOON)
    .toBe(1);
});
