/** The display name of what has none of its own: `blog-post` becomes `Blog post`. */
export const displayNameOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
