import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { enterablePackage } from "./enterable-package.ts";

const folder = (): string => {
  const made = mkdtempSync(path.join(realpathSync(tmpdir()), "galley-package-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  chmodSync(made, 0o755);
  return made;
};

/** A package `server`, which needs `@server/programs` and may have `@server/other`, which is not installed. */
const installed = (): string => {
  const modules = path.join(folder(), "node_modules");
  const write = (name: string, manifest: object): void => {
    mkdirSync(path.join(modules, name), { recursive: true });
    writeFileSync(path.join(modules, name, "package.json"), JSON.stringify(manifest));
  };
  write("server", { dependencies: { "@server/programs": "1" }, optionalDependencies: { "@server/other": "1" } });
  write("@server/programs", {});
  return modules;
};

test("a package that everyone can reach is used where it is", () => {
  const modules = installed();
  expect(enterablePackage(modules, "server", folder())).toBe(path.join(modules, "server"));
});

test("a package in a folder of one user's own is copied with what it needs", () => {
  const modules = installed();
  chmodSync(path.dirname(modules), 0o700);
  const copies = folder();
  const home = enterablePackage(modules, "server", copies);
  expect(home).toBe(path.join(copies, "node_modules", "server"));
  expect(() => realpathSync(path.join(home, "package.json"))).not.toThrow();
  expect(() => realpathSync(path.join(home, "../@server/programs/package.json"))).not.toThrow();
});
