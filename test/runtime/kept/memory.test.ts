/** What is kept takes no more memory than it may: as little as possible beside its bytes, and all of it counted. */
import { expect, test } from "vitest";
import { commonRights } from "../../../runtime/access/rights.ts";
import { KeptAnswer } from "../../../runtime/http/frame/read-text.ts";
import { KeptAnswers } from "../../../runtime/http/rest/kept.ts";

const caller = { kind: "public", can: commonRights(() => true) } as const;
const asked = (query: string) => ({ uid: "api::tag.tag", read: "find", query, format: "flat" }) as const;

/** Keeps different answers, each of which is used, and returns how many of them are kept in the end. */
const keptOf = async (text: string, bytes: number, count: number): Promise<number> => {
  const kept = new KeptAnswers(async () => 1, bytes);
  const ask = (number: number) => kept.of(caller, asked(`page=${number}`), async () => text);
  for (let number = 0; number < count; number += 1) for (let turn = 0; turn < 3; turn += 1) await ask(number);
  const before = kept.hits;
  for (let number = count - 1; number >= 0; number -= 1) await ask(number);
  return kept.hits - before;
};

test("of answers that are hardly longer than nothing, no more are kept than there is room for their objects", async () => {
  const most = await keptOf("{}", 1_000_000, 3000);
  expect(most).toBeGreaterThan(500);
  expect(most).toBeLessThan(1000);
});

test("of long answers as many are kept as there is room for", async () => {
  expect(await keptOf("x".repeat(20_000), 1_000_000, 100)).toBe(47);
});

test.each(["br", "gzip"] as const)("a form compressed by %s takes no memory beside its bytes", async (coding) => {
  let grown = 0;
  const answer = new KeptAnswer(JSON.stringify({ data: "again and ".repeat(200) }), () => (grown += 1));
  const before = answer.size;
  const bytes = await answer.compressed(coding);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
  expect(answer.body.buffer.byteLength).toBe(answer.body.length);
  expect(answer.size - before).toBeGreaterThan(bytes.length);
  expect(await answer.compressed(coding)).toBe(bytes);
  expect(grown).toBe(1);
});
