/** Describes the routes of links to drafts for the OpenAPI document. */
import { creation, envelope, gone, operation, queryParameters, type RouteGroup, tagged } from "../openapi/endpoint.ts";
import { instant, integer, list, orNull, record, ref, shape, text } from "../openapi/json-schema.ts";
import { DEEP, inQuery, LISTED } from "../openapi/queries.ts";
import { linkRoutes, newLink, placeQuery, type Sharing } from "./feature.ts";

const link = { id: text, createdAt: instant, expiresAt: instant, userId: orNull(integer) };
const made = shape({ id: text, expiresAt: instant, token: text });
const shown = shape({
  data: record({ id: integer, documentId: text }, ["documentId"]),
  meta: shape({ uid: text, documentId: text, locale: orNull(text), expiresAt: instant }),
});

const tokenHeader = {
  name: "X-Preview-Token",
  in: "header",
  schema: text,
  description: "The token of the link, if the query does not have it.",
};

const links = envelope(list(shape(link)));

export const describeSharing = (sharing: Sharing): RouteGroup => ({
  routers: [linkRoutes(sharing)],
  descriptions: tagged("Share links", {
    "GET /preview": operation("openShareLink", "The draft that a link leads to, for whoever has the link", shown, {
      parameters: [
        inQuery("token", text),
        tokenHeader,
        inQuery("fields", list(text), "", LISTED),
        inQuery("populate", ref("Populate"), "", DEEP),
      ],
    }),
    "GET /share-links": operation("findShareLinks", "The links to a document, newest first", links, {
      parameters: queryParameters(placeQuery),
    }),
    "POST /share-links": operation(
      "createShareLink",
      "Makes a link; only this answer has its token",
      null,
      creation(newLink, made),
    ),
    "DELETE /share-links/:id": operation("endShareLink", "Ends a link", null, gone),
  }),
});
