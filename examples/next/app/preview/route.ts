import { draftMode } from "next/headers";
import { redirect } from "next/navigation";
import type { NextRequest } from "next/server";
import { isPreviewSecret } from "../../../magazine/settings.ts";

/** Opens the preview for whoever knows the word, and closes it for whoever says none. */
export const GET = async ({ nextUrl }: NextRequest): Promise<Response> => {
  const word = nextUrl.searchParams.get("secret");
  const mode = await draftMode();
  if (word === null) mode.disable();
  else if (!isPreviewSecret(word)) return new Response("Forbidden", { status: 403 });
  else mode.enable();
  redirect("/en");
};
