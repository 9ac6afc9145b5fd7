/** Finds regular expressions with exponential running time before a server applies them to untrusted input. */
import { createRequire } from "node:module";
import type * as regexpp from "@eslint-community/regexpp";
import type { AST } from "@eslint-community/regexpp";
import type * as refa from "refa";
import type * as scslre from "scslre";

type Analysis = typeof regexpp & typeof refa & typeof scslre;

let packages: Analysis | undefined;

/** Loaded with the first pattern: the packages are large, and most projects have no patterns. */
const analysis = (): Analysis => {
  const load = createRequire(import.meta.url);
  return (packages ??= { ...load("@eslint-community/regexpp"), ...load("refa"), ...load("scslre") });
};

/** A repetition count that is as good as infinite. */
const MANY = 20;

/** Results by pattern. */
const known = new Map<string, string | undefined>();

/** The language of a pattern, without its assertions. */
const automaton = (source: string): refa.NFA => {
  const { JS, NFA } = analysis();
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags: "" }).parse({
    assertions: "disable",
    backreferences: "disable",
  });
  return NFA.fromRegex(expression, { maxCharacter });
};

/** Whether some text of repeated alternatives can start with either of two. */
const isAmbiguous = (alternatives: readonly AST.Alternative[]): boolean => {
  const { isDisjointWith } = analysis();
  const sources = alternatives.map(({ raw }) => raw);
  const rest = `(?:${sources.join("|")})*`;
  const begun = sources.map((raw) => automaton(`(?:${raw})${rest}`));
  return begun.some((one, index) => begun.slice(index + 1).some((other) => !isDisjointWith(one, other)));
};

const repeats = ({ max, element }: AST.Quantifier): boolean =>
  max >= MANY && (element.type === "Group" || element.type === "CapturingGroup") && element.alternatives.length > 1;

const ambiguousChoice = (pattern: AST.Pattern): string | undefined => {
  const found: string[] = [];
  analysis().visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (!repeats(node) || !("alternatives" in node.element)) return;
      try {
        if (isAmbiguous(node.element.alternatives)) found.push(node.raw);
      } catch {
        // Too large to analyze.
      }
    },
  });
  return found[0];
};

/**
 * The part of a pattern that can match one text in exponentially many ways: nested repetitions, and repeated
 * alternatives that match the same text. Accepts patterns with polynomial running time.
 *
 * @param source a valid JavaScript pattern
 * @returns undefined if there is none
 */
export const explodingPart = (source: string): string | undefined => {
  if (!known.has(source)) known.set(source, findExplodingPart(source));
  return known.get(source);
};

const findExplodingPart = (source: string): string | undefined => {
  const { RegExpParser, analyse } = analysis();
  const pattern = new RegExpParser().parsePattern(source);
  const flags = new RegExpParser().parseFlags("");
  const { reports } = analyse({ pattern, flags }, { reportTypes: { Move: false } });
  const report = reports.find(({ exponential }) => exponential);
  if (!report) return ambiguousChoice(pattern);
  if (report.type === "Trade") return report.startQuant.raw;
  return report.type === "Self" ? report.parentQuant.raw : report.quant.raw;
};
