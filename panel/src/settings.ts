/** The settings that the server writes into the page. */
interface Settings {
  /** The path of the panel. */
  readonly path: string;
  readonly title: string;
  readonly logo?: string;
  readonly previewUrl?: string;
  /** The address of the script with the project's extensions. */
  readonly extensions?: string;
  /** The path of the REST API. */
  readonly prefix: string;
  /** Whether the server renews users' tokens, with a cookie that scripts cannot read. */
  readonly sessions: boolean;
  readonly bodyLimit: number;
  /** Required on styles that are created in the page. */
  readonly nonce: string;
}

const read = (): Settings => JSON.parse(document.getElementById("settings")?.textContent ?? "{}");

export const settings: Settings = read();

// Packages that create styles look for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: settings.nonce });
