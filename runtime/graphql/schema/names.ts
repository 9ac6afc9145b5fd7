/** What documents of a type are answered as. */
import type { ObjectRef } from "../builder.ts";
import type { TypeDeclaration } from "../declaration.ts";
import { entityResponse, type Subject } from "./responses.ts";
import type { Scope } from "./scope.ts";

export const subjectOf = (scope: Scope, declaration: TypeDeclaration): Subject => ({
  name: declaration.name,
  object: () => scope.make.object(declaration),
});

/** `XEntityResponse`, or `X` itself in the flat format. */
export const documentResponse = (scope: Scope, declaration: TypeDeclaration): ObjectRef =>
  scope.format === "entity" ? entityResponse(scope, subjectOf(scope, declaration)) : scope.make.object(declaration);
