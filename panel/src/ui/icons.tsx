/** Icons as strokes on a 24-unit grid, so that none has to be loaded. */
const PATHS = {
  alert: "M12 9v4m0 4h.01M10.3 3.9 1.8 18a2 2 0 0 0 1.7 3h17a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0z",
  arrowLeft: "M19 12H5m7 7-7-7 7-7",
  arrowRight: "M5 12h14m-7-7 7 7-7 7",
  book: "M5 4h14v16H7a2 2 0 0 1-2-2zm0 14a2 2 0 0 1 2-2h12M9 8h6",
  calendar: "M4 6h16v14H4zm0 5h16M8 3v5m8-5v5",
  cart: "M3 4h3l2 11h10l2-8H7m2 12h.01M17 19h.01",
  chart: "M4 20V4m0 16h16M8 16v-4m4 4V8m4 8v-6",
  chat: "M4 5h16v11H9l-5 4z",
  home: "m3 11 9-7 9 7M6 9v11h12V9",
  key: "M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm-4 8-8 8m3-3 3 3",
  mail: "M3 5h18v14H3zm0 1 9 7 9-7",
  map: "m3 6 6-2 6 2 6-2v14l-6 2-6-2-6 2zm6-2v14m6-12v14",
  settings:
    "M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zm-6 10a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  shield: "m12 3 8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
  star: "m12 3 2.7 6 6.3.6-4.8 4.2 1.5 6.4-5.7-3.4-5.7 3.4 1.5-6.4L3 9.6 9.3 9z",
  tag: "M4 4h8l8 8-8 8-8-8zm4 4h.01",
  bold: "M6 4h8a4 4 0 0 1 0 8H6zM6 12h9a4 4 0 0 1 0 8H6z",
  check: "M20 6 9 17l-5-5",
  chevronDown: "m6 9 6 6 6-6",
  chevronRight: "m9 6 6 6-6 6",
  clock: "M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  code: "m8 6-6 6 6 6m8-12 6 6-6 6",
  columns: "M4 4h16v16H4zM10 4v16M15 4v16",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  dots: "M5 12h.01M12 12h.01M19 12h.01",
  download: "M12 4v12m-5-5 5 5 5-5M4 20h16",
  external: "M14 4h6v6m0-6-9 9M19 14v6H4V5h6",
  eye: "M2 12c4-7 16-7 20 0-4 7-16 7-20 0zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  file: "M14 3H6v18h12V7zM14 3v4h4",
  filter: "M4 5h16l-6 7v6l-4 2v-8z",
  folder: "M3 6h6l2 2h10v11H3z",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  heading: "M6 4v16M18 4v16M6 12h12",
  image: "M3 4h18v16H3zm0 13 5-5 4 4 4-4 5 5M9 9h.01",
  italic: "M10 4h8M6 20h8M15 4 9 20",
  link: "M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1m1 5a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1",
  list: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  listOrdered: "M10 6h10M10 12h10M10 18h10M4 4v4M3 14c0-2 3-2 3 0 0 1-3 2-3 4h3",
  menu: "M4 6h16M4 12h16M4 18h16",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  more: "M12 5h.01M12 12h.01M12 19h.01",
  plus: "M12 5v14M5 12h14",
  quote: "M10 7H5v6h4c0 3-1 4-3 4M20 7h-5v6h4c0 3-1 4-3 4",
  refresh: "M20 11a8 8 0 0 0-15-3M4 4v5h5m-5 4a8 8 0 0 0 15 3m1 4v-5h-5",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12 5 5",
  signOut: "M14 4H5v16h9M10 12h11m-4-4 4 4-4 4",
  stack: "m12 3 9 5-9 5-9-5zm-9 9 9 5 9-5m-18 4 9 5 9-5",
  strike: "M4 12h16M16 7c-1-2-3-3-5-2-3 0-4 4-1 6m6 3c1 5-7 6-9 2",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1 1m12 12 1 1M5 19l1-1M18 6l1-1",
  trash: "M4 7h16M10 11v6m4-6v6M6 7l1 13h10l1-13M9 7V4h6v3",
  underline: "M6 4v7a6 6 0 0 0 12 0V4M5 21h14",
  upload: "M12 16V4m-5 5 5-5 5 5M4 20h16",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c1-9 15-9 16 0",
  users: "M9 5a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM2 20c1-7 13-7 14 0m0-15a4 4 0 0 1 0 8m3 2c2 1 3 3 3 5",
  x: "M6 6l12 12M18 6 6 18",
} as const;

export type IconName = keyof typeof PATHS;

/** The icon with a name; undefined if there is none. */
export const iconOf = (name: string | undefined): IconName | undefined =>
  Object.keys(PATHS).find((known): known is IconName => known === name);

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
    <path d={PATHS[name]} />
  </svg>
);
