/** A project without a database, whose schema files a test writes and whose migrations it reads. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** An empty one, which is removed at the end of the test. */
export const migrationProject = () => {
  const root = mkdtempSync(path.join(tmpdir(), "galley-cli-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const migrations = path.join(root, "generated", "migrations");
  return {
    root,
    migrations,
    names: () => readdirSync(migrations).sort(),
    write(file: string, content: string | object) {
      const full = path.join(root, file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, typeof content === "string" ? content : JSON.stringify(content, null, 2));
    },
    read: (file: string) => readFileSync(path.join(root, file), "utf8"),
  };
};
