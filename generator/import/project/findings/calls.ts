/** Calls with which Strapi project code registers something, wherever they are. */
import { type CallExpression, type SourceFile, SyntaxKind } from "ts-morph";
import { type Member, memberOf, membersOf } from "../code/members.ts";
import { type CodeReader, placeOf, quotedLine, sourceOf } from "../code/parse.ts";
import type { Value } from "../code/value-type.ts";
import { valueOf } from "../code/value.ts";
import { type Finding, finding, type FindingKind } from "./finding.ts";

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

/** A function subscribed to lifecycle events of types. */
export interface Subscription {
  readonly models: readonly string[];
  readonly member: Member;
}

const calleeOf = (call: CallExpression): string => call.getExpression().getText().replaceAll(/\s+/g, "");

const textsOf = (value: Value): readonly string[] =>
  value.kind === "list" ? value.items.flatMap(textsOf) : value.kind === "literal" ? [String(value.value)] : ["…"];

const subscribedBy = (reader: CodeReader, call: CallExpression): readonly Subscription[] => {
  const [listener] = call.getArguments();
  if (listener === undefined) return [];
  const models = memberOf(reader, listener, "models");
  const functions = membersOf(reader, listener).filter(({ name }) => name !== "models");
  return functions.map((member) => ({ models: models ? textsOf(valueOf(reader, models)) : ["every type"], member }));
};

const isSubscription = (call: CallExpression): boolean => /\bdb\.lifecycles\.subscribe$/.test(calleeOf(call));

/** The functions that a file subscribes with `strapi.db.lifecycles.subscribe`. */
export const subscriptionsOf = (reader: CodeReader, file: string): readonly Subscription[] =>
  (sourceOf(reader, file)?.getDescendantsOfKind(SyntaxKind.CallExpression) ?? [])
    .filter(isSubscription)
    .flatMap((call) => subscribedBy(reader, call));

const subscribed = (reader: CodeReader, call: CallExpression): readonly Finding[] =>
  subscribedBy(reader, call).map(({ models, member: { name, whole } }) =>
    finding("lifecycle", `${name} of ${models.join(", ")}`, placeOf(whole), "by `strapi.db.lifecycles.subscribe`"),
  );

/** Lifecycles assigned to a type that is declared elsewhere. */
const assigned = (reader: CodeReader, source: SourceFile): readonly Finding[] =>
  source.getDescendantsOfKind(SyntaxKind.BinaryExpression).flatMap((each) => {
    const left = each.getLeft();
    if (!left.getText().endsWith(".lifecycles") || each.getOperatorToken().getText() !== "=") return [];
    return membersOf(reader, each.getRight()).map(({ name, whole }) =>
      finding("lifecycle", `${name} of ${quotedLine(left)}`, placeOf(whole)),
    );
  });

/** A finding for each such call in the file. */
export const callFindings = (reader: CodeReader, file: string): readonly Finding[] => {
  const source = sourceOf(reader, file);
  if (source === undefined) return [];
  const called = source.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call): readonly Finding[] => {
    const callee = calleeOf(call);
    const found = calls.find(([pattern]) => pattern.test(callee));
    if (found === undefined) return [];
    const functions = isSubscription(call) ? subscribed(reader, call) : [];
    return functions.length > 0 ? functions : [finding(found[1], quotedLine(call), placeOf(call))];
  });
  return [...called, ...assigned(reader, source)];
};
