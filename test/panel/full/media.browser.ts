/** The media library: where files are used, cropping, and folders. */
import sharp from "sharp";
import { expect, test } from "vitest";
import { enteredPage, panelApp, picture, violations } from "../panel-app.ts";

test("a file says where it is used, is replaced, and several are deleted at once", async () => {
  const app = await panelApp();
  const token = await app.token();
  for (const name of ["one.svg", "two.svg", "three.svg"])
    await app.upload([{ name, content: picture("teal"), type: "image/svg+xml" }], token);
  const files = (await app.send("GET", "/api/upload/files?sort=id", { token })).body as { id: number; url: string }[];
  const data = { title: "Low water", slug: "low-water", cover: files[0]?.id };
  await app.send("POST", "/api/articles", { token, body: { data } });
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/media`);
  await page.getByRole("button", { name: "one.svg" }).click();
  await page.getByRole("link", { name: "Article: Low water" }).waitFor();
  expect(await violations(page)).toEqual([]);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Replace" }).click(),
  ]);
  await chooser.setFiles({ name: "new.svg", mimeType: "image/svg+xml", buffer: Buffer.from(picture("navy")) });
  await page.getByText("Replaced", { exact: true }).waitFor();
  const origin = new URL(app.panel).origin;
  expect(await (await fetch(`${origin}${files[0]?.url}`)).text()).toContain("navy");

  await page.getByRole("button", { name: "Select" }).click();
  await page.getByRole("button", { name: "two.svg" }).click();
  await page.getByRole("button", { name: "three.svg" }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("2 of 2 done").waitFor();
  expect((await app.send("GET", "/api/upload/files", { token })).body).toMatchObject([{ id: files[0]?.id }]);
});

const wall = (background: string) => ({ create: { width: 200, height: 300, channels: 3 as const, background } });

/** A photograph of a red and a blue wall. */
const walls = async (): Promise<Uint8Array<ArrayBuffer>> => {
  const blue = await sharp(wall("blue")).png().toBuffer();
  const both = sharp(wall("red"))
    .extend({ right: 200 })
    .composite([{ input: blue, left: 200, top: 0 }]);
  return new Uint8Array(await both.jpeg().toBuffer());
};

test("a picture is cropped by keys into a new file, and by the mouse in place", async () => {
  const app = await panelApp();
  const token = await app.token();
  const info = JSON.stringify({ alternativeText: "Two walls", focalPoint: { x: 75, y: 50 } });
  const photograph = { name: "walls.jpg", content: await walls(), type: "image/jpeg" };
  await app.upload([{ field: "fileInfo", content: info }, photograph], token);
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/media`);
  const stored = async () =>
    (await app.send("GET", "/api/upload/files?sort=id", { token })).body as { id: number; url: string }[];

  await page.getByRole("button", { name: "walls.jpg" }).click();
  const point = page.getByRole("button", { name: "Focal point" });
  await point.press("ArrowDown");
  await point.press("Enter");
  await page.getByRole("button", { name: "Crop" }).click();
  const dialog = page.getByRole("dialog", { name: "Crop" });
  await dialog.getByText("Size: 400 × 300").waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByText("1:1").click();
  await dialog.getByText("Size: 300 × 300").waitFor();
  for (let step = 0; step < 6; step++) await dialog.getByRole("group", { name: "Frame" }).press("Shift+ArrowRight");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Cropped", { exact: true }).waitFor();
  const [whole, part] = await stored();
  expect(whole).toMatchObject({ name: "walls.jpg", width: 400, height: 300, focalPoint: { x: 75, y: 50 } });
  expect(part).toMatchObject({ name: "walls-300x300.jpg", width: 300, height: 300, mime: "image/jpeg" });
  expect(part).toMatchObject({ alternativeText: "Two walls", focalPoint: { x: 67, y: 51 } });
  // A third of it is of the red wall.
  const origin = new URL(app.panel).origin;
  const { channels } = await sharp(await (await fetch(`${origin}${part?.url}`)).arrayBuffer()).stats();
  expect(channels[0]?.mean).toBeCloseTo(85, -1);
  expect(channels[2]?.mean).toBeCloseTo(170, -1);

  await page.getByRole("button", { name: "walls.jpg" }).click();
  await page.getByRole("button", { name: "Crop" }).click();
  const corner = dialog.getByRole("button", { name: "Bottom right corner" });
  await corner.hover();
  const { x, y } = (await corner.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.down();
  await page.mouse.move(x - 190, y - 90, { steps: 4 });
  await page.mouse.up();
  const size = await dialog.getByText(/^Size: \d/).innerText();
  const [width = 0, height = 0] = (size.match(/\d+/g) ?? []).map(Number);
  expect([Math.abs(width - 200), Math.abs(height - 200)].every((difference) => difference < 20)).toBe(true);
  await dialog.getByLabel("Replace").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  const [replaced, ...others] = await stored();
  expect(replaced).toMatchObject({ id: whole?.id, url: whole?.url, width, height, focalPoint: null });
  expect(others).toHaveLength(1);
  // The library shows the part at once.
  const tile = page.getByRole("button", { name: "walls.jpg" }).locator("img");
  await expect.poll(() => tile.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeLessThan(200);
  expect(page.errors).toEqual([]);
});

test("files are put into folders by keys and in bulk, and a folder is renamed, moved and deleted", async () => {
  const app = await panelApp({ media: { folders: true } });
  const token = await app.token();
  await app.upload([{ name: "one.svg", content: picture("teal"), type: "image/svg+xml" }], token);
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/media`);
  const create = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "New folder" }).press("Enter");
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("button", { name, exact: true }).waitFor();
  };
  const markup = "<b onclick=alert(1)>Press</b>";
  await create(markup);
  await create("Old");
  await page.getByRole("button", { name: markup }).press("Enter");
  await page.getByText("No files yet").waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Upload" }).click(),
  ]);
  await chooser.setFiles({ name: "two.svg", mimeType: "image/svg+xml", buffer: Buffer.from(picture("navy")) });
  await page.getByRole("button", { name: "two.svg" }).waitFor();
  expect(await page.getByRole("button", { name: "one.svg" }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);

  await page.goBack();
  await page.getByRole("button", { name: "one.svg" }).waitFor();
  await page.getByRole("button", { name: "Select" }).click();
  await page.getByRole("button", { name: "one.svg" }).click();
  await page.getByRole("toolbar").getByRole("button", { name: "Move" }).click();
  await page.getByRole("combobox", { name: "In the folder" }).click();
  await page.getByRole("option", { name: markup }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
  await page.getByText("Moved", { exact: true }).waitFor();
  await page.getByText("No files yet").waitFor();
  const search = page.locator("main").getByRole("searchbox");
  await search.fill("one");
  await page.getByRole("button", { name: "one.svg" }).waitFor();
  await search.fill("");
  await page.getByText("No files yet").waitFor();

  await page.getByRole("button", { name: markup }).click();
  await page.getByRole("button", { name: "one.svg" }).waitFor();
  await page.getByRole("button", { name: "Change folder" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("2026");
  await page.getByRole("combobox", { name: "In the folder" }).click();
  await page.getByRole("option", { name: "Old" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const way = page.getByRole("navigation", { name: "Folders" });
  await way.getByRole("button", { name: "2026" }).waitFor();
  expect(await way.getByRole("button").allInnerTexts()).toEqual(
    expect.arrayContaining(["Media library", "Old", "2026"]),
  );
  await way.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The folder is not empty").waitFor();
  expect((await app.send("GET", "/api/upload/folders", { token })).body).toMatchObject([
    { path: "/Old" },
    { path: "/Old/2026" },
  ]);
  const { body } = await app.send("GET", "/api/upload/files", { token });
  for (const { id } of body as { id: number }[]) await app.send("DELETE", `/api/upload/files/${id}`, { token });
  await way.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted").waitFor();
  await way.getByRole("button", { name: "2026" }).waitFor({ state: "detached" });
  expect((await app.send("GET", "/api/upload/folders", { token })).body).toMatchObject([{ path: "/Old" }]);
});

test("a part of a picture goes to the folder that is open, and the dialog of an attribute shows folders and uploads into them", async () => {
  const app = await panelApp({ media: { folders: true } });
  const token = await app.token();
  const { body: folder } = await app.send("POST", "/api/upload/folders", { token, body: { name: "Press" } });
  const { id: press } = folder as { id: number };
  const info = JSON.stringify({ folder: press });
  const photograph = { name: "walls.jpg", content: await walls(), type: "image/jpeg" };
  await app.upload([{ field: "fileInfo", content: info }, photograph], token);
  await app.upload([{ name: "top.svg", content: picture("teal"), type: "image/svg+xml" }], token);
  const inPress = async () => {
    const { body } = await app.send("GET", `/api/upload/folders/${press}/files?sort=id`, { token });
    return (body as { data: { name: string }[] }).data.map(({ name }) => name);
  };
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/media?folder=${press}`);
  await page.getByRole("button", { name: "walls.jpg" }).click();
  await page.getByRole("button", { name: "Crop" }).click();
  const dialog = page.getByRole("dialog");
  await page.getByText("1:1").click();
  await page.getByRole("dialog", { name: "Crop" }).getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "walls-300x300.jpg" }).waitFor();
  expect(await inPress()).toEqual(["walls.jpg", "walls-300x300.jpg"]);

  await page.goto(`${app.panel}/content/articles/new`);
  await page.getByRole("button", { name: "From the library" }).last().click();
  await dialog.getByRole("button", { name: "top.svg" }).waitFor();
  expect(await dialog.getByRole("button", { name: "New folder" }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Press" }).click();
  await dialog.getByRole("button", { name: "walls.jpg" }).click();
  expect(await dialog.getByRole("button", { name: "top.svg" }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    dialog.getByRole("button", { name: "Upload" }).click(),
  ]);
  await chooser.setFiles({ name: "new.svg", mimeType: "image/svg+xml", buffer: Buffer.from(picture("navy")) });
  await dialog.getByRole("button", { name: "Choose (2)" }).click();
  await dialog.waitFor({ state: "hidden" });
  for (const name of ["walls.jpg", "new.svg"]) await page.getByText(name).waitFor();
  expect(await inPress()).toEqual(["walls.jpg", "walls-300x300.jpg", "new.svg"]);
  expect(page.errors).toEqual([]);
});
