/** Content type names that clash or are reserved. */
import { problems } from "../diagnostics/codes.ts";
import type { Report } from "../diagnostics/diagnostic.ts";
import { camelCase, parseUid, snakeCase } from "./names.ts";
import { type Prepared, type PreparedType, valueIn } from "./prepared.ts";
import { BUILT_IN_ROUTES, GENERATED_FOLDERS, isReservedModelName } from "./reserved.ts";

type NameKey = "singularName" | "pluralName";

interface Claim {
  readonly type: PreparedType;
  readonly key: NameKey;
}

const checkOwnNames = (type: PreparedType, report: Report): void => {
  const { singularName, pluralName } = type.schema.info;
  const { plugin, owner } = parseUid(type.uid);
  if (singularName === pluralName)
    report(problems.sameNames, valueIn(type, "info", "pluralName"), { name: singularName });
  const folder = plugin ? owner : singularName;
  const builtIn = plugin && owner === "users-permissions";
  if (GENERATED_FOLDERS.includes(folder) && !builtIn)
    report(problems.reservedFolder, valueIn(type, "info", "singularName"), { folder });
  if (!/^[A-Za-z0-9][-_0-9A-Za-z]*$/.test(owner)) report(problems.uidName, valueIn(type), { uid: type.uid });
  const routeKey = type.schema.kind === "singleType" ? "singularName" : "pluralName";
  const route = type.schema.info[routeKey];
  if (!plugin && BUILT_IN_ROUTES.includes(route))
    report(problems.builtInRoute, valueIn(type, "info", routeKey), { route });
  for (const key of ["singularName", "pluralName"] as const) {
    const name = type.schema.info[key];
    if (isReservedModelName(snakeCase(name)))
      report(problems.reservedModelName, valueIn(type, "info", key), { key, name });
  }
};

/** Singular and plural names share one space: both become GraphQL fields and TypeScript names. */
const checkShared = (types: readonly PreparedType[], report: Report): void => {
  const claims = new Map<string, Claim>();
  for (const type of types) {
    const { plugin, owner } = parseUid(type.uid);
    for (const key of ["singularName", "pluralName"] as const) {
      const name = camelCase((plugin ? `${owner}-` : "") + type.schema.info[key]);
      const first = claims.get(name);
      claims.set(name, first ?? { type, key });
      if (!first || first.type === type) continue;
      const related = [
        { place: valueIn(first.type, "info", first.key), message: `the ${first.key} of "${first.type.uid}"` },
      ];
      const parameters = { key, name: type.schema.info[key], other: first.type.uid, otherKey: first.key };
      report(problems.nameTaken, valueIn(type, "info", key), parameters, { related });
    }
  }
};

const checkTables = (types: readonly PreparedType[], report: Report): void => {
  const tables = new Map<string, PreparedType>();
  for (const type of types) {
    const table = type.schema.collectionName;
    if (table === undefined) continue;
    const first = tables.get(table);
    tables.set(table, first ?? type);
    if (!first) continue;
    // A built-in type has no file to point to; the other one does.
    const [reported, other] = type.file === undefined ? [first, type] : [type, first];
    const related =
      other.file === undefined
        ? []
        : [{ place: valueIn(other, "collectionName"), message: `the table of "${other.uid}"` }];
    const parameters = { table, other: other.uid };
    report(problems.tableTaken, valueIn(reported, "collectionName"), parameters, { related });
  }
};

/** Reports content types whose names or tables clash or are reserved. */
export const checkNames = ({ contentTypes }: Prepared, report: Report): void => {
  for (const type of contentTypes) checkOwnNames(type, report);
  checkShared(contentTypes, report);
  checkTables(contentTypes, report);
};
