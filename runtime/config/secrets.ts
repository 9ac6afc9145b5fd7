/** The keys for signing and hashing tokens. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFileOnce } from "../base/private-folder.ts";
import { ConfigError } from "../base/thrown.ts";
import type { Config } from "./config.ts";

/** The secret keys of this application. */
export interface Secrets {
  readonly jwt: string;
  readonly tokenSalt: string;
}

const stored = z.object({ jwt: z.string(), tokenSalt: z.string() });

/** Secrets for development: created once and stored in `.cms/`, which is not committed. */
const developmentSecrets = (root: string): Secrets => {
  const file = join(root, ".cms", "secrets.json");
  if (!existsSync(file)) {
    const secrets = { jwt: randomBytes(32).toString("hex"), tokenSalt: randomBytes(32).toString("hex") };
    writePrivateFileOnce(file, `${JSON.stringify(secrets, null, 2)}\n`);
  }
  // Another command may have created them meanwhile.
  return stored.parse(JSON.parse(readFileSync(file, "utf8")));
};

/** The minimum number of characters in a production secret, and of distinct ones among them. */
const SHORTEST = 16;
const FEWEST = 5;

const isGuessable = (secret: string | undefined): boolean =>
  secret !== undefined && (secret.trim().length < SHORTEST || new Set(secret).size < FEWEST);

/** Refuses secrets that can be guessed, because they are short or repeat characters. */
const refuseGuessable = (secrets: Readonly<Record<string, string | undefined>>): void => {
  const short = Object.keys(secrets).filter((name) => isGuessable(secrets[name]));
  if (short.length === 0) return;
  throw new ConfigError(
    `${short.join(" and ")} must have ${SHORTEST} characters or more outside development, ${FEWEST} of them different.`,
  );
};

/**
 * The secrets of the configuration. If one is missing, development creates it, and production refuses to start.
 *
 * @param options.production whether `NODE_ENV` is `production`
 * @throws ConfigError naming each variable that must be set, or is too easy to guess
 */
export const resolveSecrets = (
  { auth }: Config,
  { root, production }: { root: string; production: boolean },
): Secrets => {
  const { secret: jwt } = auth.jwt;
  const { tokenSalt } = auth;
  if (production)
    refuseGuessable({ "JWT_SECRET (auth.jwt.secret)": jwt, "API_TOKEN_SALT (auth.tokenSalt)": tokenSalt });
  if (jwt !== undefined && tokenSalt !== undefined) return { jwt, tokenSalt };
  if (production) {
    const absent = [
      ...(jwt === undefined ? ["JWT_SECRET (auth.jwt.secret)"] : []),
      ...(tokenSalt === undefined ? ["API_TOKEN_SALT (auth.tokenSalt)"] : []),
    ];
    throw new ConfigError(
      `${absent.join(" and ")} must be set outside development, to a long random text. ` +
        `"node -p 'crypto.randomBytes(32).toString(\\"hex\\")'" makes one.`,
    );
  }
  const made = developmentSecrets(root);
  return { jwt: jwt ?? made.jwt, tokenSalt: tokenSalt ?? made.tokenSalt };
};
