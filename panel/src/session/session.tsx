/** Tracks whether the user is signed in. When the session ends, lets the user sign in again on the same page. */
import { Center, Loader, Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, Fragment, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { client, onSignedOut, RequestError, store } from "../api/client.ts";
import { readDescription } from "../api/description.ts";
import { COPIED_ENTRY } from "../edit/fields/copied-entry.ts";
import { leaveFreely, mayLeave } from "../edit/leaving.ts";
import { useText } from "../i18n/index.ts";
import { settings } from "../settings.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { SignInPage } from "./sign-in-page.tsx";

interface Session {
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session>({ signOut: async () => {} });

export const useSession = (): Session => useContext(SessionContext);

/** The id of the user who may have a session cookie in this browser, which scripts cannot see. */
const KNOWN = "panel:known";

const isSignedIn = async (): Promise<boolean> => {
  if (!settings.sessions) return (await store.get()) !== undefined;
  return localStorage.getItem(KNOWN) !== null && client.auth.refresh().catch(() => false);
};

/** The id of the signed-in user; empty if that user may not use the panel. */
const readUserId = async (): Promise<string> => {
  try {
    return String((await readDescription()).user?.id ?? "");
  } catch (error) {
    if (error instanceof RequestError && error.status === 403) return "";
    // Whose the stored input is cannot be said, so it stays.
    throw error;
  }
};

/** Removes the stored input of a user who has left. */
const forgetTexts = (): void => {
  for (const key of Object.keys(localStorage))
    if (key.startsWith("panel:text:") || key === COPIED_ENTRY) localStorage.removeItem(key);
};

export const SessionGate = ({ children }: { readonly children: ReactNode }) => {
  const t = useText();
  const queries = useQueryClient();
  const [state, setState] = useState<"starting" | "out" | "in">("starting");
  const [isOver, setOver] = useState(false);
  const [users, setUsers] = useState(0);

  /** Begins anew: nothing of the former user may be seen, or saved in another name. */
  const startOver = useCallback(() => {
    leaveFreely();
    queries.clear();
    setUsers((count) => count + 1);
  }, [queries]);

  useEffect(() => {
    void isSignedIn().then((isIn) => setState(isIn ? "in" : "out"));
    return onSignedOut(() => setOver(true));
  }, []);

  useEffect(() => {
    // Another tab of this browser has signed in somebody else, whose session this tab would use from now on.
    const listen = ({ key, oldValue, newValue }: StorageEvent): void => {
      if (key !== KNOWN || oldValue === newValue) return;
      startOver();
      setState(newValue === null ? "out" : "in");
    };
    window.addEventListener("storage", listen);
    return () => window.removeEventListener("storage", listen);
  }, [startOver]);

  const entered = useCallback(async () => {
    const id = await readUserId();
    const isOther = localStorage.getItem(KNOWN) !== id;
    if (isOther) {
      forgetTexts();
      startOver();
    }
    localStorage.setItem(KNOWN, id);
    setOver(false);
    setState("in");
    if (!isOther) void queries.invalidateQueries();
  }, [queries, startOver]);

  const signOut = useCallback(async () => {
    if (!mayLeave(t("confirm.leave"))) return;
    await client.auth.logout().catch(() => store.set(undefined));
    await store.set(undefined);
    localStorage.removeItem(KNOWN);
    forgetTexts();
    queries.clear();
    setState("out");
  }, [queries, t]);

  if (state === "starting")
    return (
      <Center h="100vh">
        <Loader aria-label={t("session.title")} />
      </Center>
    );
  if (state === "out") return <SignInPage entered={entered} />;
  return (
    <SessionContext value={{ signOut }}>
      <Fragment key={users}>{children}</Fragment>
      <Modal opened={isOver} onClose={() => {}} withCloseButton={false} title={t("session.title")} centered>
        <SignInForm entered={entered} note={t("session.over")} />
      </Modal>
    </SessionContext>
  );
};
