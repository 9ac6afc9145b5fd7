/**
 * The libpq parameters for encryption in a server's address (https://www.postgresql.org/docs/current/libpq-ssl.html).
 * The driver knows some modes, but neither certificates nor keys, and sends unknown parameters to servers as settings.
 */
import { readFileSync } from "node:fs";
import { checkServerIdentity, type ConnectionOptions, type PeerCertificate, type SecureVersion } from "node:tls";
import { messageOf, SetupError } from "../../base/thrown.ts";

const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof MODES)[number];

/** Parameters for features that the driver lacks; each may only have one of these values. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  channel_binding: ["disable", "prefer"],
  gssencmode: ["disable", "prefer"],
  sslcompression: ["0"],
  sslsni: ["1"],
};

/** An address without these parameters, and what they request. */
export interface EncryptedAddress {
  readonly url: string;
  /** For the driver; undefined where nothing is asked for. */
  readonly ssl: false | "allow" | "prefer" | "require" | ConnectionOptions | undefined;
}

const refuse = (parameter: string, reason: string): never => {
  throw new SetupError(`DATABASE_URL (database.url): ${parameter} ${reason}`);
};

const isMode = (text: string): text is Mode => MODES.some((mode) => mode === text);

const modeOf = (text: string | null, authorities: string | null): Mode | undefined => {
  const mode = text ?? (authorities === "system" ? "verify-full" : undefined);
  if (mode === undefined || isMode(mode)) return mode;
  return refuse(`sslmode=${mode}`, `is none of ${MODES.join(", ")}`);
};

const read = (parameter: string, file: string | null): Buffer | undefined => {
  if (file === null) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    return refuse(`${parameter}=${file}`, `cannot be read: ${messageOf(error)}`);
  }
};

const versionOf = (parameter: string, text: string | null): SecureVersion | undefined => {
  if (text === null || text === "TLSv1.2" || text === "TLSv1.3") return text ?? undefined;
  return refuse(`${parameter}=${text}`, "is neither TLSv1.2 nor TLSv1.3");
};

/** The names of the servers in an address, without their ports. */
const hostsIn = (url: string): readonly string[] => {
  const [, hosts = ""] = /^[^:]+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(url) ?? [];
  return hosts.split(",").map((host) => host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1"));
};

/** Whether a certificate covers one of the servers in the address. Node alone would ignore numeric addresses. */
const identityCheck =
  (hosts: readonly string[]) =>
  (_host: string, certificate: PeerCertificate): Error | undefined => {
    const failures = hosts.map((host) => checkServerIdentity(host, certificate));
    return failures.includes(undefined) ? undefined : failures[0];
  };

/** Takes the parameters out that may be used once only. */
const taken = (parameters: URLSearchParams, name: string): string | null => {
  const value = parameters.get(name);
  parameters.delete(name);
  return value;
};

/**
 * Reads the parameters, and the files that they name.
 *
 * @throws SetupError for a file that cannot be read, and for what the driver cannot do
 */
export const encryptionOf = (address: string): EncryptedAddress => {
  const [base = "", query = ""] = address.split("?", 2);
  const parameters = new URLSearchParams(query);
  for (const [name, accepted] of Object.entries(OTHERS)) {
    const value = taken(parameters, name);
    if (value !== null && !accepted.includes(value)) refuse(`${name}=${value}`, "is not supported by the driver");
  }
  const authorities = taken(parameters, "sslrootcert");
  const mode = modeOf(taken(parameters, "sslmode"), authorities);
  const certificates = {
    ca: authorities === "system" ? undefined : read("sslrootcert", authorities),
    cert: read("sslcert", taken(parameters, "sslcert")),
    key: read("sslkey", taken(parameters, "sslkey")),
    passphrase: taken(parameters, "sslpassword") ?? undefined,
    crl: read("sslcrl", taken(parameters, "sslcrl")),
    minVersion: versionOf("ssl_min_protocol_version", taken(parameters, "ssl_min_protocol_version")),
    maxVersion: versionOf("ssl_max_protocol_version", taken(parameters, "ssl_max_protocol_version")),
  };
  const url = parameters.size === 0 ? base : `${base}?${parameters.toString()}`;
  if (mode === undefined || mode === "disable") return { url, ssl: mode && false };
  if (mode === "allow" || mode === "prefer") return { url, ssl: mode };
  const given = Object.fromEntries(Object.entries(certificates).filter(([, value]) => value !== undefined));
  // As in libpq: if there are authorities, `require` verifies the certificate, too.
  if (mode === "require" && authorities === null) return { url, ssl: { ...given, rejectUnauthorized: false } };
  const check = mode === "verify-full" ? identityCheck(hostsIn(base)) : () => undefined;
  return { url, ssl: { ...given, rejectUnauthorized: true, checkServerIdentity: check } };
};
