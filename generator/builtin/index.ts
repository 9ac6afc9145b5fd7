import { problems } from "../diagnostics/codes.ts";
import { type Report, valueAt, wholeFile } from "../diagnostics/diagnostic.ts";
import type { AttributeSchema } from "../schema/attribute-shapes.ts";
import type { ContentTypeFile, ExtensionFile, SchemaFile } from "../schema/schema-file.ts";
import { usersPermissions } from "./users-permissions.ts";

const sameKind = (a: AttributeSchema, b: AttributeSchema): boolean =>
  a.type === "relation" && b.type === "relation"
    ? a.target === b.target && a.relation === b.relation
    : a.type === b.type;

/** The user's file, plus every built-in attribute that it lacks or breaks. */
const complete = (builtIn: ContentTypeFile, file: ContentTypeFile, report: Report): ContentTypeFile => {
  const attributes: Record<string, AttributeSchema> = { ...file.schema.attributes };
  for (const [name, schema] of Object.entries(builtIn.schema.attributes)) {
    const own = attributes[name];
    if (own && sameKind(own, schema)) continue;
    if (own && file.file !== undefined)
      report(problems.builtInAttribute, valueAt(file.file, "attributes", name), { attribute: name, uid: file.uid });
    attributes[name] = schema;
  }
  if (file.file !== undefined && file.schema.options.draftAndPublish === true)
    report(problems.builtInOption, valueAt(file.file, "options", "draftAndPublish"), { uid: file.uid });
  return {
    ...file,
    schema: {
      ...file.schema,
      options: { ...file.schema.options, draftAndPublish: false },
      pluginOptions: undefined,
      attributes,
    },
  };
};

/**
 * Adds the built-in content types. A user's file replaces the built-in one with its uid; without a file, a user's
 * extension applies to the built-in type.
 */
export const withBuiltInTypes = (
  files: readonly SchemaFile[],
  broken: ReadonlySet<string>,
  report: Report,
  extensions: readonly ExtensionFile[] = [],
): SchemaFile[] => {
  const builtIns = new Map(usersPermissions.map((file) => [file.uid, file]));
  for (const { uid, file } of extensions) {
    if (!builtIns.has(uid)) report(problems.extensionOfNothing, wholeFile(file), { uid });
  }
  const replaced = new Set(files.map(({ uid }) => uid));
  return [
    ...usersPermissions
      .filter(({ uid }) => !replaced.has(uid) && !broken.has(uid))
      .map((builtIn) => ({ ...builtIn, extension: extensions.find(({ uid }) => uid === builtIn.uid)?.file })),
    ...files.map((file) => {
      const builtIn = file.kind === "contentType" ? builtIns.get(file.uid) : undefined;
      return builtIn && file.kind === "contentType" ? complete(builtIn, file, report) : file;
    }),
  ];
};
