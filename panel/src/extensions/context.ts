/** The project's extensions, and what they can use of the panel. */
import { createContext, useContext, useMemo } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useLanguage } from "../i18n/index.ts";
import type { Panel, PanelExtensions } from "./types.d.ts";

export const usePanel = (): Panel => {
  const { language } = useLanguage();
  const { can } = useModel();
  return useMemo(() => ({ language, can, send }), [language, can]);
};

const ExtensionsContext = createContext<PanelExtensions>({});

export const ExtensionsProvider = ExtensionsContext.Provider;

export const useExtensions = (): PanelExtensions => useContext(ExtensionsContext);
