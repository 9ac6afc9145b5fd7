/** What a front end gets with the generated client. */
import path from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { repository } from "../../support/cms.ts";

/** The client of the example as bundlers make it, for no platform in particular. */
const bundle = async (format: "esm" | "iife") => {
  const { outputFiles, metafile } = await build({
    entryPoints: [path.join(repository, "generated/client/index.ts")],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: "neutral",
    format,
    globalName: "cms",
    target: "es2022",
    alias: { "galley-cms/client": path.join(repository, "runtime/client/index.ts") },
  });
  return { text: outputFiles[0]?.text ?? "", sources: Object.keys(metafile.inputs) };
};

test("a page gets less than 4 kB of the client, and nothing else with it", async () => {
  const { text, sources } = await bundle("esm");
  const weight = gzipSync(text).length;
  console.log(`generated/client: ${weight} bytes gzipped`);
  expect(weight).toBeLessThan(4000);
  expect(sources.filter((source) => !/^(?:generated|runtime)\/client\//.test(source))).toEqual([]);
});

test("it needs nothing but what browsers, Node and edge runtimes have alike", async () => {
  const { text } = await bundle("iife");
  const asked: string[] = [];
  const answer = '{"data":[],"meta":{"pagination":{"page":1,"pageSize":25}}}';
  const globals = {
    Blob,
    FormData,
    Headers,
    fetch: async (url: string) => {
      asked.push(url);
      return new Response(answer);
    },
  };
  const script = `${text};
    (async () => {
      const { articles } = cms.createClient({ url: "https://cms.example", token: "a" });
      for await (const article of articles.all({ populate: { author: true } })) throw article;
      return JSON.stringify(await articles.find());
    })()`;
  expect(await runInNewContext(script, globals)).toBe(answer);
  expect(asked).toHaveLength(2);
});

test("validators bring nothing of the server along", async () => {
  const entry = path.join(repository, "runtime/schema/validators.ts");
  const { metafile } = await build({ entryPoints: [entry], bundle: true, write: false, metafile: true });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.map((each) => each.path));
  expect(imports.filter((each) => each.startsWith("node:"))).toEqual([]);
});
