/** Generated validators as others use them: in a browser, for JSON Schema, and every option of them true. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { build, transformSync } from "esbuild";
import { expect, test } from "vitest";
import { z } from "zod";
import { membersOf } from "../../runtime/schema/validation/members.ts";
import * as helpers from "../../runtime/schema/validators.ts";
import { repository } from "../support/cms.ts";
import { goldenFolder } from "../support/golden.ts";

test("a front end that imports a validator gets nothing of the server", async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [path.join(repository, "generated", "article", "validator.ts")],
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "browser",
    conditions: ["galley-source"],
    logLevel: "silent",
  });
  const inputs = Object.keys(metafile.inputs);
  const packages = new Set(inputs.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  expect([...packages]).toEqual(["zod"]);
  const own = inputs.filter((file) => file.startsWith("runtime/"));
  expect(own.filter((file) => !/^runtime\/(?:base|schema)\//.test(file))).toEqual([]);
  const [bundle] = outputFiles;
  expect(bundle?.text).not.toMatch(/["'](?:node:|drizzle|hono|postgres)/);
  // Two thirds of it are Zod.
  const sizes = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {});
  const bytesOf = (folder: string): number =>
    sizes.reduce((sum, [file, { bytesInOutput }]) => sum + (file.includes(folder) ? bytesInOutput : 0), 0);
  expect(bytesOf("runtime/") + bytesOf("generated/")).toBeLessThan(25_000);
  expect(bundle?.contents.length).toBeLessThan(600_000);
});

const files = [
  "scalars/generated/sample",
  "media/generated/gallery",
  "drafts-and-locales/generated/story",
  "components/generated/landing",
  "morph-relations/generated/page",
].map((name) => path.join(goldenFolder("."), name, "validator.ts"));

/** The schemas that a text declares; components that it imports hold nothing. */
const evaluate = (source: string): readonly z.ZodObject[] => {
  const imported = [...source.matchAll(/import \{ ([^}]*) \} from "(?:\.[^"]*)"/g)].flatMap(([, names = ""]) =>
    names.split(", "),
  );
  const components = Object.fromEntries(
    imported.map((name) => [name, z.object({ __component: z.literal(name), text: z.string() })]),
  );
  const { code } = transformSync(source, { loader: "ts", format: "cjs" });
  const scope: Record<string, unknown> = { z, ...helpers, ...components };
  const body = code
    .replaceAll(/\(0, import_\w+\.(\w+)\)/g, "$1")
    .replaceAll(/import_\w+\.(\w+)/g, "$1")
    .replaceAll(/^var import_.*$/gm, "");
  const module = { exports: {} };
  // eslint-disable-next-line no-new-func
  new Function("module", "require", ...Object.keys(scope), body)(module, () => ({}), ...Object.values(scope));
  return Object.values(module.exports).filter((each) => each instanceof z.ZodObject);
};

const probes = [
  {},
  { kind: "video" },
  { kind: "video", video: "x".repeat(300) },
  { bigintegerLimited: "1" },
  { textLimited: "" },
  { sections: [] },
];

/** All that can be told of schemas from outside. */
const observed = (schemas: readonly z.ZodObject[]): string => JSON.stringify(schemas.map(observedOf));

const observedOf = (schema: z.ZodObject): unknown => [
  z.toJSONSchema(schema, { io: "input" }),
  [...membersOf(schema)].map(([name, { required, default: standard, condition }]) => [
    name,
    required,
    standard,
    condition,
  ]),
  [...probes, Object.fromEntries(Object.keys(schema.shape).map((name) => [name, []]))].map(
    (probe) => schema.safeParse(probe).error?.issues ?? "accepted",
  ),
];

/** The text with one option changed, for each option: arguments that stand for something, and calls without any. */
const variants = (source: string): readonly (readonly [option: string, text: string])[] => {
  const start = source.search(/z\.object\(|conditional\(/);
  const end = source.indexOf("export type");
  const option =
    /(?<=[(,[{ ])-?\d[\w.]*(?=[),\] }])|"(?:[^"\\]|\\.)+"|\.(?:nullish|optional|readonly)\(\)|\.or\([^)]*\)+/g;
  return [...source.slice(start, end).matchAll(option)].map((match) => {
    const [text] = match;
    const at = start + match.index;
    const changed = text.startsWith(".") ? "" : text.startsWith('"') ? change(text) : String(Number(text) * 2 + 1);
    return [
      `${text} in ${source.slice(source.lastIndexOf("\n", at) + 1, at)}`,
      source.slice(0, at) + changed + source.slice(at + text.length),
    ];
  });
};

const change = (text: string): string => `${text.slice(0, -1)}x"`;

test.each(files)("every option in %s makes a difference", (file) => {
  const source = readFileSync(file, "utf8");
  const usual = observed(evaluate(source));
  const changes = variants(source);
  // A type may have nothing that a body can write.
  expect(changes.length > 0).toBe(!source.includes("z.object({})"));
  const idle = changes.filter(([, text]) => {
    try {
      return observed(evaluate(text)) === usual;
    } catch {
      return false;
    }
  });
  expect(idle.map(([option]) => option)).toEqual([]);
});
