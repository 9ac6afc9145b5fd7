import { mkdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { inspectMedia, isForeign, isSound, repairMedia } from "../../../runtime/media/inspect.ts";
import { storeFile } from "../../../runtime/media/store.ts";
import { mediaApp } from "../../support/media-app.ts";

const withFiles = async () => {
  const server = await mediaApp(onTestFinished);
  const png = await sharp({ create: { width: 600, height: 10, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const picture = await storeFile(server.services, { name: "wide.png", content: png });
  const note = await storeFile(server.services, { name: "note.txt", type: "text/plain", content: Buffer.from("note") });
  return { ...server, picture, note, folder: join(server.root, "public", "uploads") };
};

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);

test("files that belong to their records are left alone", async () => {
  const { services, stored } = await withFiles();
  const found = await inspectMedia(services, 0);
  expect(found).toMatchObject({ rows: 2, objects: 4, orphans: [], lost: [] });
  expect([isSound(found), isForeign(found)]).toEqual([true, false]);
  await repairMedia(services, found);
  expect(await stored()).toHaveLength(4);
});

test("what a crash left is found when it is old enough, and removed", async () => {
  const { services, root, folder, stored, unfinished } = await withFiles();
  await writeFile(join(folder, "orphan.txt"), "x");
  await writeFile(join(folder, ".half.txt.0a.part"), "x");
  const taken = join(root, ".cms", "tmp", "upload-x");
  await mkdir(taken, { recursive: true });
  expect(isSound(await inspectMedia(services, 60))).toBe(true);
  for (const path of [join(folder, "orphan.txt"), join(folder, ".half.txt.0a.part"), taken]) {
    await utimes(path, hoursAgo(2), hoursAgo(2));
  }
  const found = await inspectMedia(services, 60);
  expect(found.orphans.toSorted()).toEqual([".half.txt.0a.part", "orphan.txt"]);
  expect(found.unfinished).toEqual([taken]);
  await repairMedia(services, found);
  expect(isSound(await inspectMedia(services, 0))).toBe(true);
  expect(await stored()).toHaveLength(4);
  expect(await unfinished()).toEqual([]);
});

test("records follow what is stored: one without its file goes, one without a format forgets it", async () => {
  const { services, app, picture, note, folder } = await withFiles();
  await rm(join(folder, `${note.hash}.txt`));
  await rm(join(folder, `small_${picture.hash}.png`));
  await truncate(join(folder, `${picture.hash}.png`), 20);
  const found = await inspectMedia(services, 60);
  expect(found.lost.map(({ id }) => id)).toEqual([note.id]);
  expect(found.incomplete.map(({ file, formats }) => [file.id, Object.keys(formats)])).toEqual([
    [picture.id, ["thumbnail"]],
  ]);
  expect(found.resized.map(({ file, size }) => [file.id, size])).toEqual([[picture.id, 0.02]]);
  await repairMedia(services, found);
  const files = await (await app.request("/api/upload/files")).json();
  expect(files).toMatchObject([{ id: picture.id, size: 0.02, formats: { thumbnail: { width: 245 } } }]);
  expect(files[0].formats).not.toHaveProperty("small");
  expect(isSound(await inspectMedia(services, 0))).toBe(true);
});

test("a storage that shares nothing with the database is told from a damaged one", async () => {
  const { services, folder } = await withFiles();
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await writeFile(join(folder, "other.txt"), "x");
  expect(isForeign(await inspectMedia(services, 0))).toBe(true);
});
