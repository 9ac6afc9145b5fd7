/** Two texts as one, with the words that were removed and added marked. Loaded on demand. */
import { Text } from "@mantine/core";
import { type Change, diffLines, diffWords, diffWordsWithSpace } from "diff";
import { useMemo } from "react";
import { useText } from "../../i18n/index.ts";

/** Texts longer than this are compared by lines: the time for words grows with their square. */
const LONGEST = 20_000;

/** Characters of an unchanged part that stay visible at each end. */
const CONTEXT = 160;

const shortened = (text: string): string =>
  text.length > 3 * CONTEXT ? `${text.slice(0, CONTEXT)} … ${text.slice(-CONTEXT)}` : text;

/** The parts of both texts; undefined if they are too different to be compared in time. */
const partsOf = (before: string, after: string): readonly Change[] | undefined => {
  const options = { timeout: 2000 };
  if (before.length + after.length > LONGEST) return diffLines(before, after, options);
  const parts = diffWords(before, after, options);
  const differs = parts?.some(({ added, removed }) => added || removed) ?? true;
  return differs ? parts : diffWordsWithSpace(before, after, options);
};

export const Words = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const t = useText();
  const parts = useMemo(() => partsOf(before, after), [before, after]);
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
