import sharp, { type Sharp } from "sharp";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { form, mediaApp } from "../../support/media-app.ts";

const { app } = await mediaApp(afterAll);

const upload = async (image: Sharp | Buffer, name: string, server = app) => {
  const bytes = Buffer.isBuffer(image) ? image : await image.toBuffer();
  const body = form({ name, content: new Uint8Array(bytes) });
  const answer = await server.request("/api/upload", { method: "POST", body });
  const [file] = await answer.json();
  const stored = async (url: string) => Buffer.from(await (await server.request(url)).arrayBuffer());
  return { file, bytes, stored };
};

const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: "teal" } });

const camera = { IFD0: { Make: "Galley", Copyright: "someone" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } };

test.each(["jpeg", "png", "webp", "tiff"] as const)("a %s loses what the camera wrote into it", async (format) => {
  const { file, stored } = await upload(plain(600, 300).withExif(camera).toFormat(format), `a.${format}`);
  for (const { url } of [file, ...Object.values<{ url: string }>(file.formats)]) {
    const { exif, xmp, iptc } = await sharp(await stored(url)).metadata();
    expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
  }
  expect(Object.keys(file.formats)).toEqual(["thumbnail", "small"]);
});

test("a picture that was taken sideways is stored upright", async () => {
  const left = await plain(200, 300)
    .composite([{ input: await plain(200, 10).negate().png().toBuffer(), top: 0, left: 0 }])
    .png()
    .toBuffer();
  const { file, stored } = await upload(sharp(left).withMetadata({ orientation: 6 }).jpeg(), "a.jpg");
  expect(file).toMatchObject({ width: 300, height: 200, formats: { thumbnail: { width: 234, height: 156 } } });
  expect(await sharp(await stored(file.url)).metadata()).toMatchObject({ width: 300, height: 200 });
  expect((await sharp(await stored(file.url)).metadata()).orientation).toBeUndefined();
});

test("an image that compression would not make smaller is kept as it came", async () => {
  const small = await plain(400, 200).jpeg({ quality: 5, mozjpeg: true }).toBuffer();
  const { file, stored } = await upload(small, "a.jpg");
  expect((await stored(file.url)).equals(small)).toBe(true);
});

test("an animation keeps its frames, and its formats show the first", async () => {
  const frames = Buffer.alloc(300 * 300 * 3 * 4, 0);
  frames.fill(255, 300 * 300 * 3);
  const raw = { width: 300, height: 1200, channels: 3, pageHeight: 300 } as const;
  const { file, bytes, stored } = await upload(sharp(frames, { raw }).gif({ delay: [50, 50, 50, 50] }), "a.gif");
  expect(file).toMatchObject({ width: 300, height: 300, formats: { thumbnail: { width: 156, height: 156 } } });
  expect((await stored(file.url)).equals(bytes)).toBe(true);
  expect((await sharp(await stored(file.formats.thumbnail.url)).metadata()).pages ?? 1).toBe(1);
});

test("a drawing is measured and not rendered", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="700"><rect/></svg>');
  const { file, stored } = await upload(svg, "a.svg");
  expect(file).toMatchObject({ mime: "image/svg+xml", width: 900, height: 700, formats: null });
  expect((await stored(file.url)).equals(svg)).toBe(true);
});

test.each([
  ['<svg viewBox="0 0 30.4 40.6"/>', 30, 41],
  ['<svg width="100%" height="100%" viewBox="0,0,30,40"/>', 30, 40],
  ['<svg width="60" viewBox="0 0 30 40"/>', 60, 80],
  ['<svg width="10mm" height="1in"/>', 28, 72],
  ["<svg\n  width='1e2'\n  height=' 5pc '\n>", 100, 60],
  [
    '<?xml version="1.0"?><!-- <svg width="1" height="1"> --><!DOCTYPE svg [<!ENTITY a "<svg>">]><svg width="7" height="8"/>',
    7,
    8,
  ],
  ['<svg data-a=" width=\'9\' " stroke-width="3" width="7" height="8"/>', 7, 8],
  ['<svg width="50"/>', null, null],
  ['<svg width="-5" height="5"/>', null, null],
  ['<svg width="1e300" height="5"/>', null, null],
  ["<svg/>", null, null],
])("the size of %s is %s by %s", async (text, width, height) => {
  const svg = Buffer.from(text.replace(/<svg(?![^<]*-->|>)/, '<svg xmlns="http://www.w3.org/2000/svg"'));
  expect((await upload(svg, "a.svg")).file).toMatchObject({ mime: "image/svg+xml", width, height });
});

test("a drawing that tells no size is not followed inside to find one", async () => {
  const groups = Array.from({ length: 5 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(8)}</g>`);
  const inside = `<g id="g0"><rect width="33" height="44"/></g>${groups.join("")}`;
  const { file } = await upload(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`), "a.svg");
  expect(file).toMatchObject({ mime: "image/svg+xml", width: null, height: null });
});

test("images for which there is no time left are refused", async () => {
  const server = await mediaApp(onTestFinished, { config: { media: { images: { seconds: 0.000_001 } } } });
  const body = form({ name: "a.png", content: new Uint8Array(await plain(400, 100).png().toBuffer()) });
  const answer = await server.app.request("/api/upload", { method: "POST", body });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    {
      error: { name: "ValidationError", message: expect.stringMatching(/^a\.png: the images of one upload may take/) },
    },
  ]);
});

test("formats and thumbnails are those of the configuration", async () => {
  const config = { media: { formats: { tiny: 50 }, images: { thumbnail: false } } };
  const server = await mediaApp(onTestFinished, { config });
  const { file } = await upload(plain(400, 100).png(), "a.png", server.app);
  expect(file.formats).toEqual({ tiny: expect.objectContaining({ width: 50, height: 13 }) });
});

test("images that come together are all finished", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, (_, n) => upload(plain(600 + n, 400).jpeg(), `${n}.jpg`)));
  expect(all.map(({ file }) => [file.width, Object.keys(file.formats)])).toEqual(
    all.map((_, n) => [600 + n, ["thumbnail", "small"]]),
  );
});
