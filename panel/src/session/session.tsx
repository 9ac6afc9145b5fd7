/** Tracks whether the user is signed in. When the session ends, lets the user sign in again on the same page. */
import { Center, Loader, Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { client, onSignedOut, store } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { settings } from "../settings.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { SignInPage } from "./sign-in-page.tsx";

interface Session {
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session>({ signOut: async () => {} });

export const useSession = (): Session => useContext(SessionContext);

/** Records that this browser may have a session cookie, which scripts cannot see. */
const KNOWN = "panel:known";

const isSignedIn = async (): Promise<boolean> => {
  if (!settings.sessions) return (await store.get()) !== undefined;
  return localStorage.getItem(KNOWN) !== null && client.auth.refresh().catch(() => false);
};

/** Removes the stored input of the user who has signed out. */
const forgetTexts = (): void => {
  for (const key of Object.keys(localStorage)) if (key.startsWith("panel:text:")) localStorage.removeItem(key);
};

export const SessionGate = ({ children }: { readonly children: ReactNode }) => {
  const t = useText();
  const queries = useQueryClient();
  const [state, setState] = useState<"starting" | "out" | "in">("starting");
  const [isOver, setOver] = useState(false);

  useEffect(() => {
    void isSignedIn().then((isIn) => setState(isIn ? "in" : "out"));
    return onSignedOut(() => setOver(true));
  }, []);

  const entered = useCallback(() => {
    localStorage.setItem(KNOWN, "1");
    setOver(false);
    setState("in");
    void queries.invalidateQueries();
  }, [queries]);

  const signOut = useCallback(async () => {
    await client.auth.logout().catch(() => store.set(undefined));
    await store.set(undefined);
    localStorage.removeItem(KNOWN);
    forgetTexts();
    queries.clear();
    setState("out");
  }, [queries]);

  if (state === "starting")
    return (
      <Center h="100vh">
        <Loader aria-label={t("session.title")} />
      </Center>
    );
  if (state === "out") return <SignInPage entered={entered} />;
  return (
    <SessionContext value={{ signOut }}>
      {children}
      <Modal opened={isOver} onClose={() => {}} withCloseButton={false} title={t("session.title")} centered>
        <SignInForm entered={entered} note={t("session.over")} />
      </Modal>
    </SessionContext>
  );
};
