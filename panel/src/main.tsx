import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./ui/style.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { RequestError } from "./api/client.ts";
import { App } from "./app.tsx";
import { mayLeave } from "./edit/leaving.ts";
import { initialLanguage, keepLanguage, type Language, LanguageContext, translator } from "./i18n/index.ts";
import { SessionGate } from "./session/session.tsx";
import { settings } from "./settings.ts";
import { theme, variables } from "./ui/theme.ts";

/** Whether to retry: the server would refuse again what it refused, but a missing answer may still come. */
const isWorthAsking = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof RequestError && (error.status === 0 || error.status >= 502);

const queries = new QueryClient({
  defaultOptions: { queries: { retry: isWorthAsking, refetchOnWindowFocus: false, staleTime: 5000 } },
});

const Root = () => {
  const [language, setLanguage] = useState<Language>(initialLanguage);
  const languages = useMemo(() => {
    const choose = (chosen: Language): void => {
      keepLanguage(chosen);
      setLanguage(chosen);
    };
    return { language, t: translator(language), choose };
  }, [language]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
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
              <App />
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
      <Root />
    </StrictMode>,
  );
