import { SetupError } from "../base/setup-error.ts";

/** A configuration that cannot be used; the message names the file, the key and what is wrong. */
export class ConfigError extends SetupError {
  override readonly name = "ConfigError";
}
