/** Two texts as one, with the words that were removed and added marked. Loaded on demand. */
import { Text } from "@mantine/core";
import { diffLines, diffWordsWithSpace } from "diff";
import { useMemo } from "react";
import { useText } from "../../i18n/index.ts";

/** Texts longer than this are compared by lines: the time for words grows with their square. */
const LONGEST = 20_000;

/** Characters of an unchanged part that stay visible at each end. */
const CONTEXT = 160;

const shortened = (text: string): string =>
  text.length > 3 * CONTEXT ? `${text.slice(0, CONTEXT)} … ${text.slice(-CONTEXT)}` : text;

const Words = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const t = useText();
  const parts = useMemo(
    () =>
      before.length + after.length > LONGEST
        ? diffLines(before, after, { timeout: 2000 })
        : diffWordsWithSpace(before, after, { timeout: 2000 }),
    [before, after],
  );
  // Texts that are too different to be compared in time.
  const shown = parts ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
  return (
    <Text size="sm" component="div" className="difference">
      {shown.map(({ value, added, removed }, index) => {
        if (removed)
          return (
            <del key={index}>
              <span className="sr-only">{t("compare.removed")} </span>
              {value}
            </del>
          );
        if (added)
          return (
            <ins key={index}>
              <span className="sr-only">{t("compare.added")} </span>
              {value}
            </ins>
          );
        return <span key={index}>{shortened(value)}</span>;
      })}
    </Text>
  );
};

export default Words;
