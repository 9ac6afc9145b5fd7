import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./ui/style.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, Suspense, use, useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { RequestError } from "./api/client.ts";
import { App } from "./app.tsx";
import { mayLeave } from "./edit/leaving.ts";
import { ExtensionsProvider } from "./extensions/context.ts";
import { loadExtensions } from "./extensions/host.ts";
import { initialLanguage, keepLanguage, type Language, LanguageContext, speak } from "./i18n/index.ts";
import { SessionGate } from "./session/session.tsx";
import { settings } from "./settings.ts";
import { tellError } from "./ui/notify.ts";
import { theme, variables } from "./ui/theme.ts";

/** Whether to retry: the server would refuse again what it refused, but a missing answer may still come. */
const isWorthAsking = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof RequestError && (error.status === 0 || error.status >= 502);

const queries = new QueryClient({
  defaultOptions: { queries: { retry: isWorthAsking, refetchOnWindowFocus: false, staleTime: 5000 } },
});

/** Not awaited here: the other parts of the panel import from this one, and would wait for it. */
const loading = Promise.all([loadExtensions(), speak(initialLanguage())]);

const Root = () => {
  const [{ extensions, fault }, first] = use(loading);
  const [spoken, setSpoken] = useState(first);
  const languages = useMemo(() => {
    const choose = (chosen: Language): void => {
      keepLanguage(chosen);
      void speak(chosen).then(setSpoken);
    };
    return { ...spoken, choose };
  }, [spoken]);
  useEffect(() => {
    document.documentElement.lang = spoken.language;
  }, [spoken]);
  useEffect(() => {
    if (fault !== undefined) tellError(languages.t, new Error(languages.t("error.extensions", { fault })));
  }, []);
  return (
    <LanguageContext value={languages}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => settings.nonce}
      >
        <Notifications position="bottom-right" />
        <QueryClientProvider client={queries}>
          <Router
            base={settings.path}
            aroundNav={(navigate, to, options) => {
              if (mayLeave(languages.t("confirm.leave"))) navigate(to, options);
            }}
          >
            <SessionGate>
              <ExtensionsProvider value={extensions}>
                <App />
              </ExtensionsProvider>
            </SessionGate>
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </LanguageContext>
  );
};

document.title = settings.title;
const element = document.getElementById("root");
if (element)
  createRoot(element).render(
    <StrictMode>
      <Suspense>
        <Root />
      </Suspense>
    </StrictMode>,
  );
