/** Branches that change different types, and git. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { GenerateFlags } from "../../generator/commands/generate/flags.ts";
import { openSources } from "../../generator/commands/generate/project.ts";
import { generate } from "../../generator/commands/generate/run.ts";
import { emptyFolder } from "../support/cms.ts";
import { component, schema } from "../support/migration-lab.ts";

const text = { type: "string" };
const seo = { type: "component", component: "shared.seo" };

const before = {
  "article/schema.json": schema("article", { title: text, seo }),
  "page/schema.json": schema("page", { title: text, seo }),
  "tag/schema.json": schema("tag", { name: text }),
  "components/shared/seo.json": component({ description: text }),
};

/** A repository with a project that is generated and committed. */
const repository = async () => {
  const root = await emptyFolder();
  const git = (...args: string[]) =>
    spawnSync("git", ["-C", root, "-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...args], {
      encoding: "utf8",
    });
  const generated = async (flags: GenerateFlags = {}) => generate(await openSources(root, undefined), flags);
  const commit = async (files: Readonly<Record<string, object>>) => {
    for (const [file, content] of Object.entries(files)) {
      const full = path.join(root, "content-types", file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, JSON.stringify(content));
    }
    await generated();
    git("add", "--all");
    git("commit", "--message", "Change");
  };
  git("init", "--initial-branch=main");
  writeFileSync(path.join(root, ".gitignore"), ".cms\n");
  await commit(before);
  return { root, git, commit, generated };
};

/** Changes of one type or component each. */
const changes: readonly (readonly [string, Readonly<Record<string, object>>])[] = [
  ["type", { "article/schema.json": schema("article", { title: text, seo, subtitle: text }) }],
  ["other", { "tag/schema.json": schema("tag", { name: text, colour: text }) }],
  ["component", { "components/shared/seo.json": component({ description: text, canonical: text }) }],
  [
    "relation",
    {
      "page/schema.json": schema("page", {
        title: text,
        seo,
        tags: { type: "relation", relation: "oneToMany", target: "api::tag.tag" },
      }),
    },
  ],
  ["new", { "zebra/schema.json": schema("zebra", { name: text }) }],
];

test("branches that change different types merge without a conflict, and all but the migrations is right then", async () => {
  const { git, commit, generated } = await repository();
  for (const [branch, files] of changes) {
    git("switch", "--create", branch, "main");
    await commit(files);
  }
  const pairs = changes.flatMap(([one], index) => changes.slice(index + 1).map(([other]) => [one, other] as const));
  for (const [one, other] of pairs) {
    git("switch", "--detach", one);
    expect([one, other, git("merge", other).stdout]).toEqual([one, other, expect.not.stringContaining("CONFLICT")]);
    if (one !== "type") continue;
    const { plan, exitCode } = await generated({ check: true, json: true });
    expect(plan?.files.filter(({ action }) => action !== "keep")).toEqual([]);
    // Both branches have a migration on top of the same one.
    expect(exitCode).toBe(1);
  }
});

test("an edit by hand in a file that all types share is refused, committed or generated text is not", async () => {
  const { root, git, commit, generated } = await repository();
  const index = path.join(root, "generated", "index.ts");
  const asCommitted = readFileSync(index, "utf8");
  await commit({ "zebra/schema.json": schema("zebra", { name: text }) });
  writeFileSync(index, `${asCommitted}// mine\n`);
  await expect(generated()).rejects.toThrow("generated/index.ts");
  expect(readFileSync(index, "utf8")).toContain("// mine");
  git("checkout", "HEAD~1", "--", "generated/index.ts");
  await generated();
  expect(git("diff", "HEAD").stdout).toBe("");
  // Another machine remembers nothing, but has what is committed.
  rmSync(path.join(root, ".cms"), { recursive: true });
  await commit({ "aardvark/schema.json": schema("aardvark", { name: text }) });
  expect(readFileSync(index, "utf8")).toContain("aardvark");
});

test("branches that each add an attribute to one type have a conflict in its schema file at most", async () => {
  const { root, git, commit } = await repository();
  git("checkout", "-b", "feature");
  await commit({ "article/schema.json": schema("article", { title: text, seo, subtitle: text }) });
  git("checkout", "main");
  await commit({ "article/schema.json": schema("article", { title: text, seo, rating: { type: "integer" } }) });
  git("merge", "feature");
  expect(git("diff", "--name-only", "--diff-filter=U").stdout).toBe("content-types/article/schema.json\n");
  const graphql = readFileSync(path.join(root, "generated/schema.graphql"), "utf8");
  expect(graphql).toContain("  subtitle: String\n");
  expect(graphql).toContain("  rating: Int\n");
  expect(graphql).not.toContain("<<<<");
});
