/** Text that comes from elsewhere: from Word, Google Docs and other documents; and long documents. */
import { expect, test } from "vitest";
import type { WatchedPage } from "../../support/browser.ts";
import { enteredPage, panelApp, violations } from "../panel-app.ts";

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal { margin: 0 }</style></head>
<body lang=EN-GB><!--StartFragment--><h2>Tides<o:p></o:p></h2>
<p class=MsoNormal><b>Twice</b> a <i>day</i>,&nbsp;see <a href="https://example.com/tides">the table</a>.<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;</span></span><![endif]>Ebb<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;</span></span><![endif]>Flood<o:p></o:p></p>
<!--EndFragment--></body></html>`;

const GOOGLE = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr"><span style="font-size:20pt;font-weight:400;">Harbour</span></h1><p dir="ltr" style="line-height:1.38"><span style="font-weight:700;font-style:normal;">Bold</span><span style="font-weight:400;font-style:italic;"> and leaning</span><span style="font-weight:400" onclick="window.hacked = true"> and plain</span></p><ul><li dir="ltr"><p dir="ltr"><span style="font-weight:400">One</span></p></li><ul><li dir="ltr"><p dir="ltr"><span>Inner</span></p></li></ul></ul><p><a href="javascript:window.hacked=true">No link</a></p><img src="x" onerror="window.hacked = true"></b>`;

const paste = async (page: WatchedPage, html: string): Promise<void> => {
  await page.getByRole("textbox", { name: "Body" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.getByRole("textbox", { name: "Body" }).evaluate((element, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/html", text);
    const event = { inputType: "insertFromPaste", dataTransfer, bubbles: true, cancelable: true };
    element.dispatchEvent(new InputEvent("beforeinput", event));
  }, html);
};

const text = (content: string, marks: object = {}) => ({ type: "text", text: content, ...marks });

test("text of Word and Google Docs keeps headings, lists, links and marks, and entries go from one document to another", async () => {
  const app = await panelApp();
  const token = await app.token();
  const created = async (data: object): Promise<string> => {
    const { body } = await app.send("POST", "/api/articles?status=draft", { token, body: { data } });
    return (body as { data: { documentId: string } }).data.documentId;
  };
  const sections = [{ __component: "blocks.quote", text: "You get used to wanting it.", attribution: "Ida" }];
  const [one, other] = [
    await created({ title: "One", slug: "one", sections }),
    await created({ title: "Two", slug: "two" }),
  ];
  const page = await enteredPage(app);
  const read = async (id: string): Promise<unknown> =>
    (await app.send("GET", `/api/articles/${id}?status=draft&populate=sections`, { token })).body;
  const saved = async (html: string): Promise<void> => {
    await paste(page, html);
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Saved", { exact: true }).first().waitFor();
    await page.getByText("Saved", { exact: true }).first().waitFor({ state: "hidden" });
  };

  await page.goto(`${app.panel}/content/articles/${one}`);
  await saved(WORD);
  const list = (...items: readonly string[]) => ({
    type: "list",
    format: "unordered",
    children: items.map((item) => ({ type: "list-item", children: [text(item)] })),
  });
  expect(await read(one)).toMatchObject({
    data: {
      body: [
        { type: "heading", level: 2, children: [text("Tides")] },
        {
          type: "paragraph",
          children: [
            text("Twice", { bold: true }),
            text(" a "),
            text("day", { italic: true }),
            text(", see "),
            { type: "link", url: "https://example.com/tides", children: [text("the table")] },
            text("."),
          ],
        },
        list("Ebb", "Flood"),
      ],
    },
  });
  await saved(GOOGLE);
  expect(await read(one)).toMatchObject({
    data: {
      body: [
        { type: "heading", level: 1, children: [text("Harbour")] },
        {
          type: "paragraph",
          children: [text("Bold", { bold: true }), text(" and leaning", { italic: true }), text(" and plain")],
        },
        list("One", "Inner"),
        { type: "paragraph", children: [text("No link")] },
      ],
    },
  });
  expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);

  await page
    .getByRole("button", { name: /^Copy: / })
    .first()
    .click();
  await page.goto(`${app.panel}/content/articles/${other}`);
  await page.getByRole("button", { name: "Paste Quote" }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect.poll(() => read(other)).toMatchObject({ data: { sections } });
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("Name or e-mail").waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /entry|text/.test(key)))).toEqual([]);
});

declare global {
  /** What the page notes while somebody types. */
  var typing: { readonly times: number[]; readonly elsewhere: string[]; stop(): void };
}

test("in a zone of 200 entries and a text of 700 kB, a key changes nothing on the page but its own field", async () => {
  const app = await panelApp();
  const token = await app.token();
  const sections = Array.from({ length: 200 }, (_none, index) => ({
    __component: "blocks.quote",
    text: `Quote ${index}`,
    attribution: `Speaker ${index}`,
  }));
  const body = Array.from({ length: 1750 }, (_none, index) => ({
    type: "paragraph",
    children: [text(`${index} ${"tide ".repeat(70)}`)],
  }));
  const data = { title: "Long", slug: "long", sections, body };
  const answer = await app.send("POST", "/api/articles?status=draft", { token, body: { data } });
  expect(answer.status).toBe(201);
  const { documentId } = (answer.body as { data: { documentId: string } }).data;
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/content/articles/${documentId}`);
  const title = page.getByRole("textbox", { name: "Title" }).first();
  await title.waitFor();
  /** Types, and returns the median of what the page works for a key, in milliseconds. */
  const typed = async (): Promise<number> => {
    // From the second key on, the note that there is unsaved input stands there.
    await page.keyboard.press("End");
    await page.keyboard.press("Space");
    await page.getByText("Not saved yet").waitFor();
    await page.evaluate(() => {
      const times: number[] = [];
      const elsewhere: string[] = [];
      // The heading is the title.
      const own = [document.activeElement?.closest(".field"), document.querySelector(".actions-bar")];
      const observer = new MutationObserver((changes) => {
        for (const { target } of changes)
          if (!own.some((part) => part?.contains(target))) elsewhere.push(target.textContent ?? "");
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      const listen = (): void => {
        const start = performance.now();
        // After the handlers, the rendering and the next frame's layout.
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - start)));
      };
      document.addEventListener("keydown", listen);
      const stop = (): void => {
        observer.disconnect();
        document.removeEventListener("keydown", listen);
      };
      Object.assign(globalThis, { typing: { times, elsewhere, stop } });
    });
    const keys = "the tide comes back";
    for (const key of keys) await page.keyboard.press(key === " " ? "Space" : key);
    await page.waitForFunction((count) => globalThis.typing.times.length === count, keys.length);
    const { times, elsewhere } = await page.evaluate(() => {
      globalThis.typing.stop();
      return { times: globalThis.typing.times, elsewhere: globalThis.typing.elsewhere };
    });
    expect(elsewhere).toEqual([]);
    return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  };
  await title.click();
  const inTitle = await typed();
  await page.getByRole("button", { name: "Speaker 150 Quote", exact: true }).click();
  await page.getByRole("textbox", { name: "Text" }).click();
  const inEntry = await typed();
  await page.getByText(/^3 tide/).click();
  const inText = await typed();
  console.log(
    `a key in the title ${inTitle.toFixed(1)} ms, in an entry ${inEntry.toFixed(1)} ms, in the text ${inText.toFixed(1)} ms`,
  );
});
