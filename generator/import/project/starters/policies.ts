/** Policies on generated routes. Until implemented they refuse everybody, so guarded routes stay guarded. */
import { isCode } from "../code/parse.ts";
import { type OwnRoute, type RouteChange, routesOf } from "../code/routes.ts";
import { memberAt, textOf, type Value } from "../code/value-type.ts";
import type { StrapiProject } from "../project.ts";
import type { GeneratedRoute } from "./generated-routes.ts";
import { asComment, identifier, type Piece, type StarterModule } from "./piece.ts";

const ACTIONS: ReadonlySet<string> = new Set(["find", "findOne", "create", "update", "delete"]);

const nameOf = (value: Value): string | undefined => textOf(value) ?? textOf(memberAt(value, ["name"]));

interface Named {
  readonly identifier: string;
  readonly module: StarterModule;
}

/** The file of a policy: `is-owner` belongs to its API, `global::is-owner` to all. */
const fileOf = ({ files }: StrapiProject, name: string, api: string): string | undefined => {
  const own = name.replace(/^(?:global::|api::[^.]+\.)/, "");
  const [, other] = /^api::([^.]+)\./.exec(name) ?? [];
  const folders = name.startsWith("global::") ? ["src/policies"] : [`src/api/${other ?? api}/policies`, "src/policies"];
  return folders
    .flatMap((folder) => files.filter((file) => file.replace(/\.\w+$/, "") === `${folder}/${own}`))
    .find(isCode);
};

const moduleText = (name: string, file: string | undefined, text: string | undefined): string =>
  [
    'import type { RestPolicy } from "galley-cms/rest";',
    "",
    `// It refuses everybody until it is written: as ${file ?? name} was${text === undefined ? "." : ", which stands below."}`,
    `export const ${identifier(name)}: RestPolicy = () => false;`,
    ...(text === undefined || file === undefined ? [] : ["", `// ${file}`, ...asComment(text.trimEnd(), "", file)]),
    "",
  ].join("\n");

const policyOf = (project: StrapiProject, written: string, { uid, value }: RouteChange): Named => {
  const [, api = ""] = /^api::([^.]+)\./.exec(uid) ?? [];
  const file = fileOf(project, written, api);
  const isLocal = file?.startsWith("src/api/") ?? false;
  const [, owner = ""] = /^src\/api\/([^/]+)\//.exec(file ?? "") ?? [];
  const own = written.replace(/^global::/, "").replace(/^api::[^.]+\./, "");
  const name = isLocal ? `${owner}-${own}` : own;
  const text = file === undefined ? undefined : project.reader.text(file);
  const module = {
    file: `lib/policies/${identifier(name)}.ts`,
    text: moduleText(name, file, text),
    at: value.at,
    original: file,
  };
  return { identifier: identifier(name), module };
};

const policiesIn = (value: Value): readonly Value[] => {
  const policies = memberAt(value, ["policies"]);
  return policies?.kind === "list" ? policies.items : [];
};

const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ":id");

/** A project route that matches a generated one: its policies guard the generated one here. */
const asChange = ({ method, path, config }: OwnRoute, generated: readonly GeneratedRoute[]): readonly RouteChange[] => {
  const same = generated.find((each) => each.method === method && each.path === shapeOf(path));
  return same && config ? [{ uid: same.uid, key: same.action, isAction: true, value: config }] : [];
};

/** The policies of generated routes, and their modules. */
export const policyPieces = (
  project: StrapiProject,
  uids: ReadonlySet<string>,
  generated: readonly GeneratedRoute[],
): { readonly pieces: readonly Piece[]; readonly modules: readonly StarterModule[] } => {
  const modules = new Map<string, StarterModule>();
  const pieces = project.files
    .filter((file) => /^src\/api\/[^/]+\/routes\//.test(file) && isCode(file))
    .flatMap((file) => {
      const { changes, own } = routesOf(project.reader, file);
      // A replacement for a whole route is reported at its line.
      const placed = own.flatMap((route) =>
        asChange(route, generated).map((change) => ({ ...change, value: { ...change.value, at: route.at } })),
      );
      return [...changes, ...placed];
    })
    .flatMap((change): readonly Piece[] => {
      const written = policiesIn(change.value);
      if (!uids.has(change.uid) || !ACTIONS.has(change.key) || written.length === 0) return [];
      const named = written.map((each) => policyOf(project, nameOf(each) ?? `${change.key}-policy`, change));
      for (const { module } of named) modules.set(module.file, module);
      const names = [...new Set(named.map((each) => each.identifier))];
      return [
        {
          uid: change.uid,
          section: "policies",
          key: change.key,
          code: `${change.key}: [${names.join(", ")}]`,
          at: change.value.at,
          original: "",
          remark: "Refuses everybody until the policy is written.",
          imports: named.map(({ identifier: name, module }) => ({ name, file: module.file })),
        },
      ];
    });
  return { pieces, modules: [...modules.values()] };
};
