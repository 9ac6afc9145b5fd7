/** A configuration that cannot be used; the message names the file, the key and what is wrong. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
