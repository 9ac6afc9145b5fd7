/** Fields that lead to documents or files, in the shapes of both formats. */
import type { FieldMap } from "@pothos/core";
import type { InputRef, ObjectFields } from "../builder.ts";
import type { FieldDeclaration, TypeDeclaration } from "../declaration.ts";
import { UploadFile } from "../upload-file.ts";
import { requires } from "./access.ts";
import { listArgs, publicationStateArg } from "./arguments.ts";
import { subjectOf } from "./names.ts";
import { readInData, readInNodes, readPopulated } from "./read.ts";
import { entityResponse, relationResponse, type Subject } from "./responses.ts";
import type { Scope } from "./scope.ts";

/** The other end of a relation or media field. */
interface Target {
  readonly subject: Subject;
  readonly filters: InputRef | undefined;
  /** The permission that seeing it takes; files take none. */
  readonly action: string | undefined;
  readonly draftAndPublish: boolean;
}

const targetOf = (scope: Scope, declaration: TypeDeclaration): Target => ({
  subject: subjectOf(scope, declaration),
  filters: scope.make.filters(declaration),
  action: `${declaration.type.uid}.find`,
  draftAndPublish: declaration.type.draftAndPublish,
});

/** Files may be seen by whoever sees what they belong to. */
const fileTarget = (scope: Scope): Target => ({ ...targetOf(scope, UploadFile), action: undefined });

/** The fields of a relation or media attribute. */
export const relationFields = (
  scope: Scope,
  t: ObjectFields,
  name: string,
  field: Extract<FieldDeclaration, { kind: "relation" | "file" }>,
): FieldMap => {
  const target = field.kind === "file" ? fileTarget(scope) : targetOf(scope, field.target);
  return field.many ? toMany(scope, t, name, target) : toOne(scope, t, name, target);
};

/** `localizations`: the same document in its other locales. Those of a single type take no list arguments. */
export const localizationFields = (scope: Scope, t: ObjectFields, declaration: TypeDeclaration): FieldMap =>
  toMany(scope, t, "localizations", targetOf(scope, declaration));

const toOne = (scope: Scope, t: ObjectFields, name: string, target: Target) => {
  const extensions = requires(target.action);
  return {
    [name]:
      scope.format === "entity"
        ? t.field({ type: entityResponse(scope, target.subject), nullable: true, extensions, resolve: readInData })
        : t.field({ type: target.subject.object(), nullable: true, extensions, resolve: readPopulated }),
  };
};

const toMany = (scope: Scope, t: ObjectFields, name: string, target: Target) => {
  const extensions = requires(target.action);
  const list = target.filters || target.action === undefined ? listArgs(scope, t, target.filters) : {};
  if (scope.format === "entity") {
    const args = target.draftAndPublish ? { ...list, ...publicationStateArg(scope, t) } : list;
    const type = relationResponse(scope, target.subject);
    return { [name]: t.field({ type, nullable: true, args, extensions, resolve: readInData }) };
  }
  return {
    [`${name}_connection`]: t.field({
      type: relationResponse(scope, target.subject),
      nullable: true,
      args: list,
      extensions,
      resolve: readInNodes,
    }),
    [name]: t.field({
      type: [target.subject.object()],
      nullable: { list: false, items: true },
      args: list,
      extensions,
      resolve: readPopulated,
    }),
  };
};
