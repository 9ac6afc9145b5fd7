import type { APIRoute } from "astro";
import { isPreviewSecret } from "../../../magazine/settings.ts";

/** Opens the preview for whoever knows the word, and closes it for whoever says none. */
export const GET: APIRoute = ({ url, cookies, redirect }) => {
  const word = url.searchParams.get("secret");
  if (word === null) cookies.delete("preview", { path: "/" });
  else if (!isPreviewSecret(word)) return new Response("Forbidden", { status: 403 });
  else cookies.set("preview", word, { path: "/", httpOnly: true, secure: true, sameSite: "lax" });
  return redirect("/en");
};
