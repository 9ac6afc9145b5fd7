/** What changes of documents and files mean for the audit log. */
import { roleUid } from "../accounts/roles/roles.ts";
import { userUid } from "../accounts/users/user-store.ts";
import type { Act } from "../documents/acts.ts";
import type { FileChange, VersionChange } from "../documents/recorders.ts";

const nameOf = ({ type, version: { values } }: VersionChange): string | null => {
  const name = type.uid === userUid ? values["username"] : type.uid === roleUid ? values["name"] : null;
  return typeof name === "string" ? name : null;
};

const subjectOf = (change: VersionChange): NonNullable<Act["subject"]> => ({
  type: change.type.uid,
  id: change.version.documentId,
  name: nameOf(change),
});

/** The attributes whose stored values differ; a relation may have several columns. */
const changedIn = ({ version: { values }, before }: VersionChange): readonly string[] => {
  const keys = Object.keys(values).filter((key) => values[key] !== before?.values[key]);
  return [...new Set(keys.map((key) => key.split(":", 1)[0] ?? key))];
};

const accountActs = (group: "user" | "role", change: VersionChange): readonly Act[] => {
  const subject = subjectOf(change);
  if (change.action === "create") return [{ action: `${group}.create`, subject }];
  if (change.action !== "update") return [];
  const changed = changedIn(change);
  const others = changed.filter((name) => name !== "password");
  return [
    ...(others.length < changed.length ? [{ action: "user.password", subject } as const] : []),
    ...(others.length > 0 ? [{ action: `${group}.update`, subject, details: { changed: others } } as const] : []),
  ];
};

/** Deletions, each document once, with the locales that were deleted. */
const deletions = (changes: readonly VersionChange[]): readonly Act[] => {
  const byDocument = new Map<string, VersionChange[]>();
  for (const change of changes.filter(({ action }) => action === "delete")) {
    const { documentId } = change.version;
    byDocument.set(documentId, [...(byDocument.get(documentId) ?? []), change]);
  }
  return [...byDocument.values()].flatMap((versions) => {
    const [first] = versions;
    if (!first) return [];
    const locales = new Set(versions.flatMap(({ version }) => version.locale ?? []));
    const group = first.type.uid === userUid ? "user" : first.type.uid === roleUid ? "role" : "document";
    const details = locales.size > 0 ? { locales: [...locales] } : {};
    return [{ action: `${group}.delete`, subject: subjectOf(first), details }];
  });
};

export const actsOf = (changes: readonly VersionChange[]): readonly Act[] => [
  ...changes.flatMap((change) => {
    if (change.type.uid === userUid) return accountActs("user", change);
    return change.type.uid === roleUid ? accountActs("role", change) : [];
  }),
  ...deletions(changes),
];

export const actsOfFile = ({ action, file }: FileChange): readonly Act[] =>
  action === "delete"
    ? [{ action: "file.delete", subject: { type: "file", id: file.documentId, name: file.name } }]
    : [];
