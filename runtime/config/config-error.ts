import { SetupError } from "../base/thrown.ts";

/** An invalid configuration; the message names the file, the key and the problem. */
export class ConfigError extends SetupError {
  override readonly name = "ConfigError";
}
