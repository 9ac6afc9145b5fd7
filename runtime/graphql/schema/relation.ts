/** Fields that lead to documents or files, in the shapes of both formats. */
import type { InputRef, ObjectFields, OutputField } from "../builder.ts";
import { listArgs, publicationStateArg } from "./arguments.ts";
import { readInData, readInNodes, readPopulated } from "./ready.ts";
import { entityResponse, relationResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

/** The other end of a relation or media field. */
export interface Link {
  /** The name of its object. */
  readonly target: string;
  readonly uid: string;
  readonly isFile: boolean;
  readonly filters: () => InputRef | undefined;
  /** The permission that seeing it requires; files require none. */
  readonly can: string | undefined;
  readonly draftAndPublish: boolean;
}

/** The options of the field in the generated file. */
interface Options {
  readonly nullable?: boolean;
}

const permission = ({ can }: Link) => (can === undefined ? {} : { can });

/** One document or file. */
export const linkField = (scope: Scope, t: ObjectFields, link: Link, options: Options): OutputField => {
  const { nullable = true } = options;
  const common = { ...options, ...permission(link), nullable };
  return scope.format === "entity"
    ? t.field({ ...common, type: entityResponse(scope, link.target), resolve: readInData })
    : t.field({ ...common, type: scope.refs.object(link.target), resolve: readPopulated });
};

/** Lists of single types contain only their other locales, and take no arguments. */
const argsOf = (scope: Scope, t: ObjectFields, link: Link) => {
  const filters = link.filters();
  return filters || link.isFile ? listArgs(scope, t, filters) : {};
};

/** Documents or files, as the format shapes lists. */
export const linksField = (scope: Scope, t: ObjectFields, link: Link, options: Options): OutputField => {
  const list = argsOf(scope, t, link);
  const common = { ...options, ...permission(link) };
  if (scope.format === "flat") {
    const nullable = { list: false, items: true };
    return t.field({ ...common, type: [scope.refs.object(link.target)], nullable, args: list, resolve: readPopulated });
  }
  const { nullable = true } = options;
  const args = link.draftAndPublish ? { ...list, ...publicationStateArg(scope, t) } : list;
  return t.field({ ...common, type: relationResponse(scope, link.target), nullable, args, resolve: readInData });
};

/** The connection that the flat format has in addition to {@link linksField}. */
export const linksConnection = (scope: Scope, t: ObjectFields, link: Link, options: Options): OutputField => {
  const { nullable = true } = options;
  const common = { ...options, ...permission(link), nullable, args: argsOf(scope, t, link) };
  return t.field({ ...common, type: relationResponse(scope, link.target), resolve: readInNodes });
};
