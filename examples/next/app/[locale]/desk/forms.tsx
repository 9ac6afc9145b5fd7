"use client";

import { useActionState } from "react";
import type { Locale } from "../../../../magazine/content.ts";
import { words } from "../../../../magazine/words.ts";
import { atDesk } from "./actions.ts";

export const Forms = ({ locale, visitor }: { readonly locale: Locale; readonly visitor: string | undefined }) => {
  const [{ complaint, isSent }, act] = useActionState(atDesk.bind(null, locale), {});
  const say = words[locale];
  return (
    <>
      {complaint && <p role="alert">{complaint}</p>}
      {isSent && <p role="status">{say.sent}</p>}
      {visitor ? (
        <form action={act}>
          <h1>{say.propose}</h1>
          <label>
            {say.title}
            <input name="title" required maxLength={120} />
          </label>
          <label>
            {say.about}
            <textarea name="excerpt" rows={4} maxLength={280} />
          </label>
          <button name="intent" value="propose">
            {say.send}
          </button>
          <button name="intent" value="logOut" formNoValidate>
            {say.logOut}
          </button>
        </form>
      ) : (
        <form action={act}>
          <h1>{say.logIn}</h1>
          <label>
            {say.name}
            <input name="identifier" required autoComplete="username" />
          </label>
          <label>
            {say.password}
            <input name="password" type="password" required autoComplete="current-password" />
          </label>
          <button name="intent" value="logIn">
            {say.logIn}
          </button>
        </form>
      )}
    </>
  );
};
