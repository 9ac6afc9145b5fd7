// For drizzle-kit, which shows the tables (`npx drizzle-kit studio`). Migrations are those of `cms migrate`.
// drizzle-kit reaches a PostgreSQL server; the embedded database is open in one process only.
export default {
  dialect: "postgresql",
  schema: ["./generated/tables.ts", "./generated/relations.ts"],
  out: "./.cms/drizzle",
  dbCredentials: { url: process.env["DATABASE_URL"] ?? "" },
};
