/** Icons as strokes on a 24-unit grid, so that none has to be loaded. */
import paths from "./icons.json";

export type IconName = keyof typeof paths;

/** The icon with a name; undefined if there is none. */
export const iconOf = (name: string | undefined): IconName | undefined =>
  Object.keys(paths).find((known): known is IconName => known === name);

/** A decorative icon, for use beside text that says the same or inside a labelled control. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={paths[name]} />
  </svg>
);
