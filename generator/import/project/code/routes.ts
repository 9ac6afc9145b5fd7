/** Routes that code declares: its own, and changes to generated ones. */
import { Node } from "ts-morph";
import { type Member, memberOf, membersOf } from "./members.ts";
import { type CodeReader, MAX_DEPTH, type Place, placeOf, sourceOf } from "./parse.ts";
import { exportsOf, resolved, returned } from "./resolve.ts";
import type { Value } from "./value-type.ts";
import { valueOf } from "./value.ts";

/** A route with a path of its own. */
export interface OwnRoute {
  readonly method: string;
  readonly path: string;
  readonly handler: string;
  readonly at: Place;
  readonly config: Value | undefined;
  /** Its source. */
  readonly text: string;
}

/** A core router's options for one action or all: `only`, `except`, `prefix`. */
export interface RouteChange {
  /** The router's type. */
  readonly uid: string;
  /** An action, or the name of an option of the router. */
  readonly key: string;
  readonly isAction: boolean;
  readonly value: Value;
}

export interface Routes {
  readonly own: readonly OwnRoute[];
  readonly changes: readonly RouteChange[];
}

const NONE: Routes = { own: [], changes: [] };

const textOf = (value: Value | undefined): string =>
  value?.kind === "literal" ? String(value.value) : value?.kind === "unknown" ? value.text : "";

const listed = (reader: CodeReader, list: Node, depth = 0): readonly OwnRoute[] => {
  const found = resolved(reader, list);
  if (!Node.isArrayLiteralExpression(found) || depth > MAX_DEPTH || !reader.spend()) return [];
  return found.getElements().flatMap((each): readonly OwnRoute[] => {
    if (Node.isSpreadElement(each)) return listed(reader, each.getExpression(), depth + 1);
    return [routeOf(reader, each)];
  });
};

const routeOf = (reader: CodeReader, node: Node): OwnRoute => {
  const value = valueOf(reader, node);
  const common = { at: placeOf(node), text: node.getText() };
  if (value.kind !== "record")
    return { ...common, method: "", path: node.getText().slice(0, 60), handler: "", config: undefined };
  const { members } = value;
  return {
    ...common,
    method: textOf(members.get("method")).toUpperCase(),
    path: textOf(members.get("path")),
    handler: textOf(members.get("handler")),
    config: members.get("config"),
  };
};

const isRoute = (node: Node): boolean =>
  Node.isObjectLiteralExpression(node) && ["method", "path", "handler"].every((name) => node.getProperty(name));

/** Routes wherever code declares them, such as those that an extension adds to its plugin. */
export const scatteredRoutes = (reader: CodeReader, file: string): readonly OwnRoute[] =>
  (sourceOf(reader, file)?.getDescendants() ?? []).filter(isRoute).map((node) => routeOf(reader, node));

const core = (reader: CodeReader, node: Node): Routes => {
  if (!Node.isCallExpression(node) || !node.getExpression().getText().endsWith("createCoreRouter")) return NONE;
  const [uidNode, options] = node.getArguments();
  const uid = uidNode ? textOf(valueOf(reader, uidNode)) : "";
  if (options === undefined) return NONE;
  const changeOf = ({ name, node: value, whole }: Member, isAction: boolean): RouteChange => ({
    uid,
    key: name,
    isAction,
    value: { ...valueOf(reader, value), at: placeOf(whole) },
  });
  const changes = membersOf(reader, returned(reader, options)).flatMap((member) =>
    member.name === "config"
      ? membersOf(reader, member.node).map((action) => changeOf(action, true))
      : [changeOf(member, false)],
  );
  return { own: [], changes };
};

const both = (all: readonly Routes[]): Routes => ({
  own: all.flatMap(({ own }) => own),
  changes: all.flatMap(({ changes }) => changes),
});

/** What an exported value declares: a core router, `{ routes: […] }`, or an object of such objects. */
const declaredBy = (reader: CodeReader, node: Node, depth = 0): Routes => {
  const found = returned(reader, node);
  if (Node.isCallExpression(found)) return core(reader, found);
  if (Node.isArrayLiteralExpression(found)) return { own: listed(reader, found), changes: [] };
  const list = memberOf(reader, found, "routes");
  if (list) return { own: listed(reader, list), changes: [] };
  if (depth > 1) return NONE;
  return both(membersOf(reader, found).map(({ node: inner }) => declaredBy(reader, inner, depth + 1)));
};

/** Whether the file declares an empty list of routes. */
export const hasNoRoutes = (reader: CodeReader, file: string): boolean => {
  const whole = exportsOf(reader, file).get("");
  const list = whole && memberOf(reader, returned(reader, whole), "routes");
  const found = list && resolved(reader, list);
  return found !== undefined && Node.isArrayLiteralExpression(found) && found.getElements().length === 0;
};

/** The file's declarations. */
export const routesOf = (reader: CodeReader, file: string): Routes =>
  both([...exportsOf(reader, file).values()].map((node) => declaredBy(reader, node)));
