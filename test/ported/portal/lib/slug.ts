/** What slugs may be made of. */
import { ValidationError } from "galley-cms";

/** @throws ValidationError, which is the answer */
export const check = (slug: string | null | undefined): undefined => {
  if (typeof slug === "string" && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)) {
    throw new ValidationError("slug: lower-case letters, digits and single hyphens");
  }
  return undefined;
};
