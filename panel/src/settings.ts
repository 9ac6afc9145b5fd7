/** What the server wrote into the page. */
export interface Settings {
  /** The path of the panel. */
  readonly path: string;
  readonly title: string;
  readonly logo?: string;
  readonly previewUrl?: string;
  /** The path of the REST API. */
  readonly prefix: string;
  /** Whether tokens of users are renewed, with a cookie that scripts cannot read. */
  readonly sessions: boolean;
  readonly bodyLimit: number;
  /** Styles that are made in the page carry it. */
  readonly nonce: string;
}

const read = (): Settings => JSON.parse(document.getElementById("settings")?.textContent ?? "{}");

export const settings: Settings = read();

// What makes styles deep inside of packages looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: settings.nonce });
