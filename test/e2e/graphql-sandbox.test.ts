import { expect, test } from "vitest";
import { openPage, type WatchedPage } from "../support/browser.ts";
import { serveExample } from "../support/graphql-project.ts";

const replaceText = async (page: WatchedPage, editor: string, text: string): Promise<void> => {
  await page.click(`${editor} .monaco-editor`);
  await page.keyboard.press("Control+A");
  // A bracket that is typed over a selection would be put around it.
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
};

/** Runs what stands in the editor, and waits until the answer on the screen holds `expected`. */
const runUntil = async (page: WatchedPage, expected: string): Promise<void> => {
  await page.click(".graphiql-execute-button");
  await page.locator(".graphiql-response").getByText(expected).first().waitFor();
};

test("the sandbox runs a query with the header that was typed into it, and asks nobody else for anything", async () => {
  const { endpoint, authorization } = await serveExample("entity");
  const { origin } = new URL(endpoint);
  const page = await openPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));

  const opened = await page.goto(endpoint);
  expect(opened?.headers()["content-security-policy"]).toContain("default-src 'self'");
  await replaceText(page, ".graphiql-query-editor", "{ me { username } }");
  await runUntil(page, "FORBIDDEN");

  await page.click("button:text-is('Headers')");
  const headers = ".graphiql-editor-tool .graphiql-editor:not(.hidden)";
  await replaceText(page, headers, JSON.stringify({ Authorization: authorization }));
  await runUntil(page, '"reader"');

  // Completion knows the schema, which the page has asked the server for.
  expect(requests.length).toBeGreaterThan(2);
  const foreign = requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith(`blob:${origin}/`));
  expect(foreign).toEqual([]);
  // What a content security policy forbids is an error in the console.
  expect(page.errors).toEqual([]);
});
