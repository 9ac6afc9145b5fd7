/** The checker of histories sees what is lost, stale or torn, and blames nobody for what concurrency allows. */
import { expect, test } from "vitest";
import { createLedger } from "../../scripts/chaos/history.ts";
import { check, type Recorded } from "../../scripts/chaos/linearizability.ts";
import {
  type LinkOperation,
  manyModel,
  oneModel,
  versionModel,
  type VersionOperation,
  versionState,
  withoutUnseen,
} from "../../scripts/chaos/models.ts";

type Times = readonly [called: number, returned: number];

const at = <Operation>([called, returned]: Times, operation: Operation): Recorded<Operation> => ({
  operation,
  called,
  returned,
});
const put = (times: Times, value: string) => at<VersionOperation>(times, { kind: "put", outcome: "done", value });
const save = (times: Times, value: string) => at<VersionOperation>(times, { kind: "save", outcome: "done", value });
const read = (times: Times, seen: string | null) =>
  at<VersionOperation>(times, { kind: "readPublished", outcome: "done", seen });
const readDraft = (times: Times, seen: string | null) =>
  at<VersionOperation>(times, { kind: "readDraft", outcome: "done", seen });
const unknownPut = (called: number, value: string): Recorded<VersionOperation> => ({
  operation: { kind: "put", outcome: "unknown", value },
  called,
  returned: undefined,
});

const verdict = (...history: Recorded<VersionOperation>[]): string =>
  check(versionModel, [versionState("a", "a")], history).kind;

test.each<[string, Recorded<VersionOperation>[]]>([
  ["reads what was written", [put([0, 1], "b"), read([2, 3], "b"), readDraft([4, 5], "b")]],
  ["reads either of two writes at once", [put([0, 5], "b"), put([1, 4], "c"), read([6, 7], "b")]],
  ["reads a write that has not been answered yet", [put([0, 9], "b"), read([2, 3], "b"), read([4, 5], "b")]],
  ["reads the old value while a write is on its way", [put([0, 9], "b"), read([2, 3], "a")]],
  ["shows a write that nobody knows of later", [unknownPut(0, "b"), read([5, 6], "a"), read([7, 8], "b")]],
  ["never shows a write that nobody knows of", [unknownPut(0, "b"), read([5, 6], "a"), read([9, 10], "a")]],
  ["keeps drafts from what is published", [save([0, 1], "b"), read([2, 3], "a"), readDraft([2, 3], "b")]],
  [
    "brings back what was published",
    [save([0, 1], "b"), at([2, 3], { kind: "discard", outcome: "done", seen: "a" }), readDraft([4, 5], "a")],
  ],
  [
    "finds no document to add a locale to after it was deleted whole",
    [
      at([0, 5], { kind: "deleteAll", outcome: "done" }),
      at([1, 6], { kind: "put", outcome: "missing", value: "b", creates: true }),
    ],
  ],
  ["finds nothing after a deletion", [at([0, 1], { kind: "delete", outcome: "done" }), read([2, 3], null)]],
])("a history is explained that %s", (_name, history) => {
  expect(verdict(...history)).toBe("explained");
});

test.each<[string, Recorded<VersionOperation>[]]>([
  ["lost a write", [put([0, 1], "b"), read([2, 3], "a")]],
  ["lost the later of two writes", [put([0, 1], "b"), put([2, 3], "c"), read([4, 5], "b")]],
  ["went back in time", [put([0, 9], "b"), read([1, 2], "b"), read([3, 4], "a")]],
  ["shows a draft as published", [save([0, 1], "b"), read([2, 3], "b")]],
  ["shows what nobody wrote", [put([0, 1], "b"), read([2, 3], "torn")]],
  [
    "lets a write of unknown outcome happen twice",
    [unknownPut(0, "b"), read([1, 2], "b"), put([3, 4], "c"), read([5, 6], "b")],
  ],
  ["shows a write of unknown outcome before it was made", [read([0, 1], "b"), unknownPut(2, "b")]],
  [
    "adds a locale to a document that was deleted whole",
    [
      at([0, 1], { kind: "deleteAll", outcome: "done" }),
      at([2, 3], { kind: "put", outcome: "done", value: "b", creates: true }),
    ],
  ],
  ["finds a document after its deletion", [at([0, 1], { kind: "delete", outcome: "done" }), read([2, 3], "a")]],
  [
    "says of a document that is there that it is missing",
    [at([0, 1], { kind: "put", outcome: "missing", value: "b" })],
  ],
])("a history is contradicted that %s", (_name, history) => {
  expect(verdict(...history)).toBe("contradicted");
});

const link = (times: Times, kind: LinkOperation["kind"], ...targets: string[]) =>
  at<LinkOperation>(times, { kind, outcome: "done", targets });

test("a link that vanished is seen from either side", () => {
  const connected = [link([0, 5], "connect", "g"), link([1, 4], "connect", "h")];
  expect(check(manyModel, [""], [...connected, link([6, 7], "read", "h", "g")]).kind).toBe("explained");
  expect(check(manyModel, [""], [...connected, link([6, 7], "read", "h")]).kind).toBe("contradicted");
  const unseen = at<LinkOperation>([6, 7], { kind: "readOne", outcome: "done", targets: ["g"], linked: false });
  expect(check(manyModel, [""], [...connected, unseen]).kind).toBe("contradicted");
  expect(check(oneModel, [""], [...connected, link([6, 7], "read", "h")]).kind).toBe("explained");
  expect(check(oneModel, [""], [...connected, link([6, 7], "read", "h", "g")]).kind).toBe("contradicted");
});

test("many writes of unknown outcome are decided on", () => {
  const unknown = Array.from({ length: 200 }, (_, index) => unknownPut(index, `u${index}`));
  const history = [...unknown, put([300, 301], "b"), read([400, 401], "u7"), read([402, 403], "u9")];
  expect(verdict(...withoutUnseen(history))).toBe("explained");
  expect(verdict(...withoutUnseen([...history, read([500, 501], "b")]))).toBe("contradicted");
});

test("what is lost is told from what was shown wrongly, and counts once", () => {
  const ledger = createLedger<VersionOperation>({
    model: versionModel,
    isRead: ({ kind }) => kind === "readPublished",
    resume: () => versionState("a", "a"),
  });
  ledger.open("lost", versionState("a", "a"));
  ledger.open("stale", versionState("a", "a"));
  for (const entry of [put([0, 1], "b"), read([2, 3], "a")]) ledger.record("lost", entry);
  for (const entry of [put([0, 1], "b"), read([2, 3], "a"), put([4, 5], "c"), read([6, 7], "c")]) {
    ledger.record("stale", entry);
  }
  const { contradictions } = ledger.settle();
  expect(contradictions.map(({ name, lost }) => [name, lost])).toEqual([
    ["lost", true],
    ["stale", false],
  ]);
  ledger.record("lost", read([8, 9], "a"));
  expect(ledger.settle().contradictions).toEqual([]);
});
