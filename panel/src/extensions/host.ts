/** Loads the project's extensions, which use the panel's own instances of packages. */
import * as react from "react";
import * as reactDom from "react-dom";
import * as jsxRuntime from "react/jsx-runtime";
import { messageOf } from "../api/client.ts";
import { FieldFrame } from "../edit/fields/frame.tsx";
import { settings } from "../settings.ts";
import { Frame } from "../ui/frame.tsx";
import { usePanel } from "./context.ts";
import type * as Api from "./types.d.ts";

const api: typeof Api = { definePanel: (extensions) => extensions, usePanel, FieldFrame, Page: Frame };

interface Loaded {
  readonly extensions: Api.PanelExtensions;
  /** Why they could not be loaded. */
  readonly fault?: string;
}

/** The extensions of the project; none if it has none, or if they fail to load. */
export const loadExtensions = async (): Promise<Loaded> => {
  if (settings.extensions === undefined) return { extensions: {} };
  Object.assign(globalThis, {
    galleyPanel: { react, "react-dom": reactDom, "react/jsx-runtime": jsxRuntime, "galley-cms/panel": api },
  });
  try {
    const { default: extensions } = await import(/* @vite-ignore */ settings.extensions);
    if (typeof extensions !== "object" || extensions === null)
      throw new TypeError("panel/extensions.tsx has no `export default definePanel({ … })`");
    return { extensions };
  } catch (error) {
    return { extensions: {}, fault: messageOf(error) };
  }
};
