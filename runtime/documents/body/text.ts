/** Finds texts that the database cannot store. */
import type { FieldError, Path } from "../../schema/validation/check.ts";
import { pathText } from "../../schema/validation/print.ts";
import { isSlowToMatch } from "../../schema/validation/text.ts";

export interface TextReport {
  readonly faults: readonly FieldError[];
  /** Whether a text is longer than any pattern is sure to be quick for. */
  readonly isLong: boolean;
}

const faultOf = (text: string): string | undefined => {
  if (text.includes("\0")) return "must not contain the character U+0000";
  return text.isWellFormed() ? undefined : "must not contain half of a surrogate pair";
};

/** Examines all texts of a value, and the keys of its objects. */
export const examineText = (root: unknown): TextReport => {
  const faults: FieldError[] = [];
  let isLong = false;
  const report = (path: Path, message: string): void => {
    faults.push({ path: path.map(String), message: `${pathText(path)} ${message}`, name: "ValidationError" });
  };
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === "string") {
      isLong ||= isSlowToMatch(value);
      const fault = faultOf(value);
      if (fault !== undefined) report(path, fault);
    } else if (Array.isArray(value)) value.forEach((each, index) => visit(each, [...path, index]));
    else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const fault = faultOf(key);
        if (fault !== undefined) report(path, `has a key that ${fault}`);
        visit(member, [...path, key]);
      }
    }
  };
  visit(root, []);
  return { faults, isLong };
};
