/** Every command of docs/ runs, in order, in one project that begins with an empty folder. */
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { emptyFolder, repository, run, type Server, serveBy } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { type Block, blocksOf, commandsOf, docPages } from "../support/doc-blocks.ts";
import { freePort } from "../support/free-port.ts";
import { documentedCommand, installPacked } from "../support/packed.ts";
import type { Environment } from "../support/processes.ts";
import { SOON } from "../support/soon.ts";

/** What begins the project comes first, and what is done to it later behind. */
const ORDER = [
  "learn/getting-started.md",
  "build/authentication.md",
  "build/permissions.md",
  "build/graphql.md",
  "build/media.md",
  "reference/cli.md",
];

/** Go on from one another, with files that they tell the reader to write. */
const GUIDES = ["build/first-users.md", "build/own-endpoint.md", "run/panel.md"];

/** A project of its own, from its first command to a published site. */
const SITE = "learn/real-site.md";

/** Speak of projects of their own, too: from-strapi.test.ts and testing.test.ts follow the others. */
const APART = ["learn/from-strapi.md", "build/testing.md", SITE];

/** Done from this checkout instead of a registry. */
const INSTALLS = /^npm (?:install (?:galley-cms(?:@latest)?|--save-dev (?:swagger-ui-dist|@types\/react))|ci)$/;
/** A package of the project's own: npm links it. */
const LINKS = /^npm install \.\/(?<place>[\w/-]+)$/;
/** Programs of others that pages run: npx would install them. */
const OTHERS = ["openapi-typescript"];
const SERVES = /^npx cms (start|dev)$/;
const BUILT = /^node cms\.mjs /;

const production = {
  JWT_SECRET: "a secret for this test only, long enough",
  API_TOKEN_SALT: "a salt for this test only",
};

// Some forty commands, one after another.
vi.setConfig({ testTimeout: 600_000 });

/** A project that is built by what the pages say. */
const createReader = async () => {
  const root = await emptyFolder();
  await installPacked(root);
  for (const name of OTHERS) {
    await symlink(path.join(repository, "node_modules/.bin", name), path.join(root, "node_modules/.bin", name));
  }
  const port = await freePort();
  const environment: Record<string, string> = {
    PATH: `${path.join(root, "node_modules/.bin")}${path.delimiter}${process.env["PATH"] ?? ""}`,
  };
  let server: Server | undefined;
  /** Where a build is deployed. */
  let external: Promise<string> | undefined;

  const shell = (command: string, cwd = root, more: Environment = {}): Promise<string> => {
    const local = command.replaceAll("localhost:1337", `127.0.0.1:${port}`).replaceAll(/^curl /g, "curl -sSf ");
    return documentedCommand(local, cwd, { ...environment, ...more });
  };

  const perform = async (command: string): Promise<string> => {
    if (INSTALLS.test(command)) return "";
    const place = LINKS.exec(command)?.groups?.["place"];
    if (place !== undefined) {
      await symlink(path.join(root, place), path.join(root, "node_modules", path.basename(place)));
      return "";
    }
    const [, serving] = SERVES.exec(command) ?? [];
    if (serving !== undefined) {
      await server?.stop();
      server = await serveBy("npx", ["cms", serving], root, port);
      return "";
    }
    if (!BUILT.test(command)) return shell(command);
    const folder = path.join(root, "build");
    const deployed = { ...production, DATABASE_URL: await (external ??= freshPostgresUrl(onTestFinished)) };
    if (!command.endsWith(" start")) return shell(command, folder, deployed);
    const built = await serveBy("node", ["cms.mjs", "start"], folder, await freePort(), deployed);
    expect(await built.stop()).toBe(0);
    return "";
  };

  /** Until `cms dev` has done what the files ask for. */
  const settle = (): Promise<void> =>
    vi.waitFor(
      async () => {
        await shell("cms generate --check");
        await shell("cms migrate status");
        expect(await shell("cms permissions diff")).toBe("Nothing would change.\n");
      },
      { ...SOON, interval: 500 },
    );

  /** Does what a block says; returns what its commands have printed. */
  const follow = async (block: Block): Promise<string> => {
    if (block.language === "sh" || block.language === "console") {
      let printed = "";
      for (const command of commandsOf(block)) printed += await perform(command);
      return printed;
    }
    if (block.file === undefined) throw new Error(`no file is named for:\n${block.text}`);
    await mkdir(path.dirname(path.join(root, block.file)), { recursive: true });
    await writeFile(path.join(root, block.file), block.text);
    return "";
  };

  return {
    root,
    environment,
    shell,
    follow,
    /** Does what a page says, its files included: commands follow files when `cms dev` has taken them. */
    async followPage(
      page: string,
      isOfProject: (block: Block) => boolean = () => true,
      after: (block: Block) => Promise<void> = async () => {},
    ): Promise<string> {
      let printed = "";
      let wasFile = false;
      for (const block of (await blocksOf(page)).filter(isOfProject)) {
        const isFile = block.file !== undefined && !["sh", "console"].includes(block.language);
        if (wasFile && !isFile && server !== undefined) await settle();
        wasFile = isFile && block.file?.startsWith("site/") === false;
        printed += await follow(block);
        await after(block);
      }
      return printed;
    },
  };
};

test("what the pages say can be done in an empty folder, in their order", async () => {
  const reader = await createReader();
  const pages = await docPages();
  expect(pages).toEqual(expect.arrayContaining(ORDER));
  // The last block of the page is of a project that is there already.
  const printed = await reader.followPage("learn/getting-started.md", ({ text }) => !text.includes('from: "src"'));
  expect(printed).toContain('"slug":"first"');
  expect(printed).toContain("seed: 3 created, 0 there before");
  expect(printed).toMatch(/"slug":"hello"[^}]*"author":\{[^}]*"name":"Ida"[^}]*\}\}\],"meta"/);

  const compiler = path.join(repository, "node_modules/typescript-7/bin/tsc");
  expect(await run(process.execPath, [compiler, "-p", ".", "--singleThreaded"], { cwd: reader.root })).toMatchObject({
    code: 0,
    stdout: "",
  });

  // The other pages speak of what a reader has by then.
  reader.environment["TOKEN"] = (await reader.shell("cat .cms/token.txt")).trim();
  const { default: sharp } = await import("sharp");
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } });
  await image.jpeg().toFile(path.join(reader.root, "sunset.jpg"));
  const rest = pages.filter((name) => ![...ORDER, ...GUIDES, ...APART].includes(name)).toSorted();
  for (const page of [...ORDER.slice(1), ...rest]) {
    const blocks = (await blocksOf(page)).filter(({ language }) => language === "sh" || language === "console");
    for (const block of blocks) await reader.follow(block);
  }
  let guided = "";
  for (const page of GUIDES) guided += await reader.followPage(page);
  expect(guided).toContain('"data":[{');
  expect(await readdir(path.join(reader.root, "build"))).toContain("cms.mjs");
});

test("the guide to a real site ends with a site that shows what is published, in each language", async () => {
  const reader = await createReader();
  const site = path.join(reader.root, "site");
  const titlesIn = async (file: string): Promise<readonly string[]> =>
    [...(await readFile(path.join(site, file), "utf8")).matchAll(/html">([^<]+)</g)].map(([, title = ""]) => title);
  const editions: (readonly string[])[] = [];
  const answers = await reader.followPage(SITE, undefined, async ({ language, text }) => {
    if (language === "sh" && text.includes("build.mjs")) editions.push(await titlesIn("public/en/index.html"));
  });
  expect(answers).toContain('"title":"Der Hafen erwacht"');
  const seeded = ["The harbour wakes"];
  expect(editions).toEqual([seeded, seeded, seeded, ["Low water", ...seeded]]);
  expect(await titlesIn("public/de/index.html")).toEqual(["Der Hafen erwacht"]);
  expect(await titlesIn("preview/en/index.html")).toEqual(["Low water", ...seeded]);
  const german = await readFile(path.join(site, "public/de/hafen.html"), "utf8");
  expect(german).toContain("Ida");
  const [, picture = ""] = /<img src="([^"]+)"/.exec(german) ?? [];
  expect((await fetch(picture)).headers.get("content-type")).toBe("image/svg+xml");

  const compiler = path.join(repository, "node_modules/typescript-7/bin/tsc");
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--allowJs",
    "--checkJs",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
  ];
  const types = ["--types", "node", "--typeRoots", path.join(repository, "node_modules/@types")];
  const checked = await run(process.execPath, [compiler, ...options, ...types, "site/build.mjs"], { cwd: reader.root });
  expect(checked).toMatchObject({ code: 0, stdout: "" });
});
