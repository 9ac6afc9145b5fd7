import { stringLiteral } from "../attributes/literal.ts";
import { hasRoutes } from "./content-type.ts";
import type { Emitter } from "./emitter.ts";

/** `index.ts`: all declarations of the application, by uid. */
export const emitIndex: Emitter = ({ model, graphql }) => [
  {
    path: "index.ts",
    template: "index.ts",
    view: {
      graphqlFormat: stringLiteral(graphql.format),
      contentTypes: model.contentTypes.map((type) => ({
        ...type.names,
        uid: stringLiteral(type.uid),
        /** "" without drafts. */
        draftConst: type.draftAndPublish ? type.names.draftConst : "",
        /** "" if the runtime has the routes. */
        routesConst: hasRoutes(type) ? type.names.routesConst : "",
      })),
      components: model.components.map(({ uid, names }) => ({ ...names, uid: stringLiteral(uid) })),
    },
  },
];
