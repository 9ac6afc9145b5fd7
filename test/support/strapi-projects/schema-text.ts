/** The text of a schema file of Strapi. */
export const schemaText = (singular: string, plural: string, attributes: object, more: object = {}): string =>
  JSON.stringify({
    kind: "collectionType",
    collectionName: plural,
    info: { singularName: singular, pluralName: plural, displayName: singular },
    options: { draftAndPublish: true },
    attributes,
    ...more,
  });
