"use server";

import { cookies } from "next/headers";
import type { Locale } from "../../../../magazine/content.ts";
import { logIn, logOut, propose } from "../../../../magazine/visitor.ts";

export interface Outcome {
  readonly complaint?: string | undefined;
  readonly isSent?: boolean;
}

/** What the desk's forms do, by the button that was pressed. */
export const atDesk = async (locale: Locale, _before: Outcome, form: FormData): Promise<Outcome> => {
  const jar = await cookies();
  switch (form.get("intent")) {
    case "logIn":
      return { complaint: await logIn(jar, form) };
    case "logOut":
      await logOut(jar);
      return {};
    default: {
      const complaint = await propose(jar, locale, form);
      return { complaint, isSent: complaint === undefined };
    }
  }
};
