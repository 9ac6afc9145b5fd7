/** What the GraphQL schema of a project says, beside what the golden files show. */
import { expect, test } from "vitest";
import { emptyFolder } from "../support/cms.ts";
import { sdlOf } from "../support/render-project.ts";
import { writeFiles } from "../support/workspace.ts";

const formats = ["entity", "flat"] as const;

const contentType = (name: string, attributes: object): [string, string] => [
  `content-types/${name}/schema.json`,
  JSON.stringify({
    kind: "collectionType",
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
  }),
];

const component = (name: string, attributes: object): [string, string] => [
  `content-types/components/shared/${name}.json`,
  JSON.stringify({ info: { displayName: name }, attributes }),
];

const schemaOf = async (format: (typeof formats)[number], ...files: [string, string][]): Promise<string> => {
  const folder = await emptyFolder();
  writeFiles(folder, files);
  return sdlOf(folder, format);
};

/** The definition of one type, without descriptions. */
const definition = (sdl: string, name: string): string | undefined =>
  new RegExp(`^(?:type|input|enum) ${name} \\{[^]*?\\n\\}`, "m").exec(sdl)?.[0];

test.each(formats)("%s: a required file is never null, and neither is a list of them", async (format) => {
  const media = { type: "media", required: true };
  const sdl = await schemaOf(
    format,
    contentType("album", { cover: media, photos: { ...media, multiple: true }, sleeve: { type: "media" } }),
  );
  const album = definition(sdl, "Album")?.replaceAll(/\([^)]*\)/g, "");
  const shown = {
    entity: {
      required: ["cover: UploadFileEntityResponse!", "photos: UploadFileRelationResponseCollection!"],
      other: "sleeve: UploadFileEntityResponse\n",
    },
    flat: {
      required: [
        "cover: UploadFile!",
        "photos: [UploadFile]!",
        "photos_connection: UploadFileRelationResponseCollection!",
      ],
      other: "sleeve: UploadFile\n",
    },
  }[format];
  for (const line of [...shown.required, shown.other]) expect(album).toContain(line);
  expect(definition(sdl, "AlbumInput")).toContain("cover: ID\n");
});

test.each(formats)("%s: a component that nothing uses is there, an input that nothing takes is not", async (format) => {
  const sdl = await schemaOf(
    format,
    contentType("page", { title: { type: "string" } }),
    component("note", { text: { type: "text" } }),
  );
  expect(definition(sdl, "ComponentSharedNote")).toBe("type ComponentSharedNote {\n  id: ID!\n  text: String\n}");
  expect(definition(sdl, "ComponentSharedNoteInput")).toBeUndefined();
  expect(definition(sdl, "PageRelationResponseCollection")).toBeUndefined();
});

test.each(formats)("%s: attributes may share the name of their enumeration", async (format) => {
  const mood = { type: "enumeration", enum: ["glad", "__proto__", "constructor"], enumName: "Mood" };
  const sdl = await schemaOf(format, contentType("cat", { mood }), contentType("dog", { mood, first: mood }));
  expect(definition(sdl, "Mood")).toBe("enum Mood {\n  _proto__\n  constructor\n  glad\n}");
  for (const type of ["Cat", "Dog", "CatInput", "DogInput"]) expect(definition(sdl, type)).toContain("mood: Mood\n");
});

test.each(formats)("%s: what is hidden is written alone, and what is fixed is read alone", async (format) => {
  const sdl = await schemaOf(
    format,
    contentType("account", {
      name: { type: "string" },
      pin: { type: "password" },
      note: { type: "string", private: true },
      serial: { type: "string", writable: false },
      trace: { type: "string", private: true, writable: false },
    }),
  );
  const places = (name: string) =>
    ["Account", "AccountInput", "AccountFiltersInput"].map((type) =>
      new RegExp(`^  ${name}:`, "m").test(definition(sdl, type) ?? ""),
    );
  expect(Object.fromEntries(["name", "pin", "note", "serial", "trace"].map((name) => [name, places(name)]))).toEqual({
    name: [true, true, true],
    pin: [false, true, false],
    note: [false, true, false],
    serial: [true, false, true],
    trace: [false, false, false],
  });
});

test("a long chain of types that lead one to the next has a schema", async () => {
  const types = Array.from({ length: 400 }, (_, index) =>
    contentType(`link${index}x`, {
      next: { type: "relation", relation: "oneToOne", target: `api::link${index + 1}x.link${index + 1}x` },
    }),
  );
  const sdl = await schemaOf("flat", ...types, contentType("link400x", { title: { type: "string" } }));
  expect(definition(sdl, "Link399XFiltersInput")).toContain("next: Link400XFiltersInput");
});
