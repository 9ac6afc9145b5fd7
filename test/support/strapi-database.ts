import sqlite from "node-sqlite3-wasm";
/** The tables in which Strapi 5 keeps what an export has, for PostgreSQL and for SQLite. */
import postgres from "postgres";
import { exportedSchemas } from "./import-project.ts";
import type { Exported } from "./strapi-archive.ts";

type Kind = "integer" | "bigint" | "double precision" | "text" | "boolean" | "json" | "timestamp";
type Columns = readonly (readonly [name: string, kind: Kind, attribute?: string])[];
type Cell = string | number | boolean | null | object;

interface Table {
  readonly name: string;
  readonly columns: Columns;
  readonly rows: readonly Readonly<Record<string, Cell | undefined>>[];
}

const dates: Columns = [
  ["created_at", "timestamp", "createdAt"],
  ["updated_at", "timestamp", "updatedAt"],
  ["published_at", "timestamp", "publishedAt"],
  ["locale", "text"],
];

const columnsOf: Readonly<Record<string, readonly [table: string, columns: Columns]>> = {
  "api::page.page": [
    "pages",
    [
      ["title", "text"],
      ["slug", "text"],
      ["views", "bigint"],
      ["stamp", "timestamp"],
      ["summary", "text"],
      ["gone", "text"],
    ],
  ],
  "api::writer.writer": [
    "writers",
    [
      ["name", "text"],
      ["secret", "text"],
    ],
  ],
  "plugin::upload.file": [
    "files",
    [
      ["name", "text"],
      ["alternative_text", "text", "alternativeText"],
      ["caption", "text"],
      ["width", "integer"],
      ["height", "integer"],
      ["formats", "json"],
      ["hash", "text"],
      ["ext", "text"],
      ["mime", "text"],
      ["size", "double precision"],
      ["url", "text"],
      ["provider", "text"],
      ["folder_path", "text", "folderPath"],
    ],
  ],
  "plugin::upload.folder": [
    "upload_folders",
    [
      ["name", "text"],
      ["path_id", "integer", "pathId"],
      ["path", "text"],
    ],
  ],
  "plugin::users-permissions.permission": ["up_permissions", [["action", "text"]]],
  "plugin::users-permissions.role": [
    "up_roles",
    [
      ["name", "text"],
      ["description", "text"],
      ["type", "text"],
    ],
  ],
  "plugin::users-permissions.user": [
    "up_users",
    [
      ["username", "text"],
      ["email", "text"],
      ["provider", "text"],
      ["password", "text"],
      ["reset_password_token", "text", "resetPasswordToken"],
      ["confirmation_token", "text", "confirmationToken"],
      ["confirmed", "boolean"],
      ["blocked", "boolean"],
    ],
  ],
};

/** The side that stores a relation, the other side, and the order of the lists. */
const joins: Readonly<Record<string, readonly [table: string, left: string, right: string, order?: "left" | "right"]>> =
  {
    "api::page.page author": ["pages_author_lnk", "page_id", "writer_id", "right"],
    "api::page.page related": ["pages_related_lnk", "page_id", "inv_page_id", "left"],
    "blocks.hero by": ["heroes_by_lnk", "hero_id", "writer_id"],
    "plugin::users-permissions.permission role": ["up_permissions_role_lnk", "permission_id", "role_id", "right"],
    "plugin::users-permissions.user role": ["up_users_role_lnk", "user_id", "role_id", "right"],
  };

const relation = (target: string, more: object = {}) => ({ type: "relation", relation: "manyToOne", target, ...more });

const schemas = (): object => ({
  ...Object.fromEntries(
    exportedSchemas.flatMap(({ uid, ...schema }) => (uid.startsWith("api::") ? [[uid, schema]] : [])),
  ),
  ...Object.fromEntries(
    Object.entries(columnsOf)
      .filter(([uid]) => uid.startsWith("plugin::"))
      .map(([uid, [collectionName, columns]]) => [
        uid,
        {
          collectionName,
          options: { draftAndPublish: false },
          attributes: {
            ...Object.fromEntries(
              columns.map(([name, kind, attribute = name]) => [
                attribute,
                { type: kind === "json" ? "json" : "string" },
              ]),
            ),
            ...(uid === "plugin::upload.file" ? { related: { type: "relation", relation: "morphToMany" } } : {}),
            ...(/permission$|user$/.test(uid)
              ? { role: relation("plugin::users-permissions.role", { inversedBy: "users" }) }
              : {}),
          },
        },
      ]),
  ),
});

type Json = Exported["entities"][number][2][string];
const list = (value: Json | undefined) => (Array.isArray(value) ? value : []);

const entryTables = ({ entities }: Exported): readonly Table[] => {
  const entries = entities.flatMap(([type, id, { sections }]) =>
    type === "api::page.page" ? list(sections).map((entry, index) => ({ owner: id, index, entry })) : [],
  );
  const of = (uid: string) => entries.flatMap(({ entry }) => (entry["__component"] === uid ? [entry] : []));
  return [
    { name: "heroes", columns: [["heading", "text"]], rows: of("blocks.hero") },
    { name: "quotes", columns: [["text", "text"]], rows: of("blocks.quote") },
    {
      name: "pages_cmps",
      columns: [
        ["entity_id", "integer"],
        ["cmp_id", "integer"],
        ["component_type", "text"],
        ["field", "text"],
        ["order", "double precision"],
      ],
      // Rows are not in the order of the list.
      rows: entries.toReversed().map(({ owner, index, entry }, at) => ({
        id: at + 1,
        entity_id: owner,
        cmp_id: entry["id"],
        component_type: entry["__component"],
        field: "sections",
        order: index + 1,
      })),
    },
  ];
};

const end = (value: Json | undefined): Readonly<Record<string, Cell>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

const linkTables = ({ links }: Exported): readonly Table[] => {
  const all = links.map(({ left, right }) => ({ left: end(left), right: end(right) }));
  const joined = Object.entries(joins).map(([key, [name, left, right, order]]): Table => ({
    name,
    columns: [[left, "integer"], [right, "integer"], ...(order ? [["list_ord", "double precision"] as const] : [])],
    rows: all
      .filter((each) => `${String(each.left["type"])} ${String(each.left["field"])}` === key)
      .map((each, index) => ({
        id: index + 1,
        [left]: each.left["ref"],
        [right]: each.right["ref"],
        list_ord: order === "left" ? each.left["pos"] : each.right["pos"],
      })),
  }));
  const anyType = (owner: string, of: string, name: string): Table => ({
    name: `${owner}s_${name}_mph`,
    columns: [
      [`${owner}_id`, "integer"],
      [`${name}_id`, "integer"],
      [`${name}_type`, "text"],
      ["field", "text"],
      ["order", "double precision"],
    ],
    rows: all
      .filter(({ left }) => left["type"] === of && left["field"] === name)
      .map(({ left, right }, index) => ({
        id: index + 1,
        [`${owner}_id`]: left["ref"],
        [`${name}_id`]: right["ref"],
        [`${name}_type`]: right["type"],
        field: right["field"],
        order: right["pos"],
      })),
  });
  return [...joined, anyType("file", "plugin::upload.file", "related"), anyType("page", "api::page.page", "mentions")];
};

const tablesOf = (exported: Exported): readonly Table[] => [
  ...Object.entries(columnsOf).map(([uid, [name, own]]): Table => ({
    name,
    columns: [["document_id", "text", "documentId"], ...own, ...dates],
    rows: exported.entities.flatMap(([type, id, data]) => (type === uid ? [{ ...data, id }] : [])),
  })),
  ...entryTables(exported),
  ...linkTables(exported),
  {
    name: "strapi_core_store_settings",
    columns: [
      ["key", "text"],
      ["value", "text"],
    ],
    rows: [{ id: 1, key: "strapi_content_types_schema", value: JSON.stringify(schemas()) }],
  },
];

const quoted = (name: string): string => `"${name}"`;

const created = ({ name, columns }: Table, kindOf: (kind: Kind) => string): string =>
  `create table ${quoted(name)} (id integer primary key, ${columns.map(([column, kind]) => `${quoted(column)} ${kindOf(kind)}`).join(", ")})`;

const instant = (value: Cell): Date =>
  new Date(typeof value === "string" && /^\d+$/.test(value) ? Number(value) : String(value));

/** The statements that make the tables and fill them, with what `valueOf` and `kindOf` say of columns. */
const statements = (
  exported: Exported,
  kindOf: (kind: Kind) => string,
  valueOf: (kind: Kind, value: Cell) => string | number,
): readonly string[] =>
  tablesOf(exported).flatMap((table) => [
    created(table, kindOf),
    ...table.rows.map((row) => {
      const values = table.columns.map(([column, kind, attribute = column]) => {
        const value = row[attribute] ?? row[column] ?? null;
        if (value === null) return "null";
        const stored = valueOf(kind, value);
        return typeof stored === "number" || kind === "bigint" ? String(stored) : `'${stored.replaceAll("'", "''")}'`;
      });
      return `insert into ${quoted(table.name)} (id, ${table.columns.map(([column]) => quoted(column)).join(", ")}) values (${Number(row["id"])}, ${values.join(", ")})`;
    }),
  ]);

const text = (value: Cell): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

const postgresKinds: Readonly<Partial<Record<Kind, string>>> = { json: "jsonb", timestamp: "timestamp(6)" };
const postgresKind = (kind: Kind): string => postgresKinds[kind] ?? kind;

/** Fills an empty database of PostgreSQL. */
export const fillPostgres = async (url: string, exported: Exported): Promise<void> => {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const all = statements(exported, postgresKind, (kind, value) =>
    kind === "timestamp"
      ? instant(value).toISOString().replace("Z", "")
      : typeof value === "number"
        ? value
        : text(value),
  );
  await client.unsafe(all.join(";\n"));
  await client.end();
};

const sqliteKind = (kind: Kind): string => (kind === "timestamp" ? "datetime" : kind);

/** Writes a database of SQLite. */
export const fillSqlite = (file: string, exported: Exported): void => {
  const database = new sqlite.Database(file);
  const all = statements(exported, sqliteKind, (kind, value) => {
    if (kind === "timestamp") return instant(value).getTime();
    return typeof value === "boolean" ? Number(value) : typeof value === "number" ? value : text(value);
  });
  for (const statement of all) database.exec(statement);
  database.close();
};
