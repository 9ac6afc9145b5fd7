import type { EnumDeclaration } from "../declaration.ts";
import type { Scope } from "./scope.ts";

/** The enum of that name, defined on first use. Members are GraphQL names, values what is stored. */
export const enumRef = (scope: Scope, { name, members }: EnumDeclaration) =>
  scope.refs.once(name, () =>
    scope.builder.enumType(name, {
      values: Object.fromEntries(Object.entries(members).map(([member, value]) => [member, { value }])),
    }),
  );
