/** Serves the panel: the same page for every address below its path, and the built files. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Hono } from "hono";
import { builtFile } from "../../base/package-folder.ts";
import { SetupError } from "../../base/thrown.ts";
import type { Config } from "../../config/config.ts";
import type { AppEnv, Services } from "../../http/context.ts";
import { fixedText } from "../../http/frame/fixed-text.ts";
import { pagePolicy } from "../../http/page.ts";

export type PanelConfig = Exclude<Config["panel"], false>;

/** The folder with the built panel. */
export const panelFolder = (): string => builtFile("panel");

/** The names of these files contain the hashes of their contents. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Placeholders in the built page for values that are known only at runtime. */
const SETTINGS = "__PANEL_SETTINGS__";
const ASSETS = "./assets/";

/** The origin of an address; undefined for a path of this server. */
const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;

/** Allows only our scripts, our styles and those with the nonce, and from other servers only media and the preview. */
const policyOf = ({ media }: Config, { previewUrl }: PanelConfig) => {
  const files = originOf(media.s3?.publicUrl) ?? "";
  return (nonce: string): string =>
    pagePolicy(
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      `img-src 'self' data: blob: ${files}`,
      `media-src 'self' blob: ${files}`,
      "connect-src 'self'",
      `frame-src 'self' ${originOf(previewUrl) ?? ""}`,
      "object-src 'none'",
    );
};

/** The settings of the page before anybody signs in; none of them is secret. */
const settingsOf = ({ rest, auth, server }: Config, { path, title, logo, previewUrl }: PanelConfig) => ({
  path,
  title,
  logo,
  previewUrl,
  prefix: rest.prefix,
  sessions: auth.jwt.mode === "refresh",
  bodyLimit: server.bodyLimit,
});

/** @throws SetupError in a package that was built without the panel */
const readPage = (): string => {
  try {
    return readFileSync(path.join(panelFolder(), "index.html"), "utf8");
  } catch {
    throw new SetupError(`panel: ${panelFolder()} is missing. Install the package again, or set panel: false.`);
  }
};

/** Mounts the panel at the configured path. */
export const mountPanel = (
  app: Hono<AppEnv>,
  { config }: Services,
  panel: PanelConfig,
  extensions: string | undefined,
): void => {
  const page = readPage().replaceAll(ASSETS, `${panel.path}/assets/`);
  const policy = policyOf(config, panel);
  const serve = (file: string): string => {
    const address = `${panel.path}/assets/${path.basename(file)}`;
    const type = file.endsWith(".css") ? "css" : "javascript";
    const headers = { "Content-Type": `text/${type}; charset=utf-8`, "Cache-Control": IMMUTABLE };
    const text = () => readFile(file, "utf8");
    app.get(address, fixedText(text, headers));
    return address;
  };
  for (const name of readdirSync(path.join(panelFolder(), "assets"))) serve(path.join(panelFolder(), "assets", name));
  const settings = { ...settingsOf(config, panel), extensions: extensions && serve(extensions) };
  app.get(`${panel.path}/assets/*`, (c) => c.notFound());
  app.on("GET", [panel.path, `${panel.path}/*`], (c) => {
    const nonce = randomBytes(16).toString("base64");
    // In HTML, the text of an element ends at its end tag, even inside JSON.
    const text = JSON.stringify({ ...settings, nonce }).replaceAll("<", "\\u003c");
    const headers = { "Content-Security-Policy": policy(nonce), "Cache-Control": "no-store" };
    return c.html(
      page.replace(SETTINGS, () => text),
      200,
      headers,
    );
  });
};
