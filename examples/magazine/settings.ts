/** What the environment of a site says. */

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set: see examples/README.md`);
  return value;
};

/** Where the content server is, for this site and for the browsers of its visitors. */
export const serverUrl = (): string => process.env["CMS_URL"] ?? "http://localhost:1337";

/** An API token that may read drafts. */
export const siteToken = (): string => setting("CMS_TOKEN");

/** Whether somebody knows the word that opens the preview. */
export const isPreviewSecret = (word: string | null | undefined): boolean => word === setting("PREVIEW_SECRET");
