/** Calls by which code of Strapi projects hangs something in, wherever it stands. */
import { SyntaxKind } from "ts-morph";
import { type CodeReader, placeOf } from "../code/parse.ts";
import type { Finding, FindingKind } from "./finding.ts";
import { firstLine } from "./statements.ts";

const calls: readonly (readonly [RegExp, FindingKind])[] = [
  [/\bdb\.lifecycles\.subscribe$/, "lifecycle"],
  [/\bdocuments\.use$/, "documents"],
  [/\bentityService\.decorate$/, "documents"],
  [/\bcron\.add$/, "cron"],
  [/\bcustomFields\.register$/, "customField"],
  [/\bextension(?:Service)?\.(?:use|shadowCRUD)$|service\(["']extension["']\)\.(?:use|shadowCRUD)$/, "graphql"],
  [/\bcontentAPI\.(?:addQueryParams|addInputParams)$/, "route"],
  [/\bserver\.(?:use|routes|router\.\w+)$/, "middleware"],
  [/\beventHub\.(?:on|once|subscribe)$/, "lifecycle"],
];

/** A finding for each such call in the file. */
export const callFindings = (reader: CodeReader, file: string): readonly Finding[] => {
  const parsed = reader.parse(file);
  if (!("source" in parsed)) return [];
  return parsed.source.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call) => {
    const callee = call.getExpression().getText().replaceAll(/\s+/g, "");
    const found = calls.find(([pattern]) => pattern.test(callee));
    const name = `\`${firstLine(call.getText()).replaceAll("`", "'")}\``;
    return found ? [{ kind: found[1], name, at: placeOf(call) }] : [];
  });
};
