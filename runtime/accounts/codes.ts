/** Codes that can be used once: to set a new password, to confirm an address, to finish a login at a provider. */
import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, inArray, lt, getTableColumns } from "drizzle-orm";
import { HttpError } from "../base/errors.ts";
import { builder, type Database, run, selected, type Session } from "../database/database.ts";
import { oneTimeCodes } from "../schema/tables/accounts.ts";
import type { AccountServices } from "./services.ts";
import { findUserBy, type User } from "./users/user-store.ts";

export type CodePurpose = "reset-password" | "invitation" | "confirm-email" | "provider-login";

const hashOf = (code: string): string => createHash("sha256").update(code).digest("hex");

/**
 * Creates a code of 64 random bytes as hex, and stores its hash for some seconds. Deletes earlier codes of the user for
 * the same purpose, and expired ones.
 */
export const issueCode = async (
  database: Database,
  purpose: CodePurpose,
  userDocumentId: string,
  lifespan: number,
): Promise<string> => {
  const code = randomBytes(64).toString("hex");
  const now = Date.now();
  await database.transaction(async (session) => {
    const earlier = and(eq(oneTimeCodes.userDocumentId, userDocumentId), eq(oneTimeCodes.purpose, purpose));
    await run(session, builder.delete(oneTimeCodes).where(earlier));
    await run(session, builder.delete(oneTimeCodes).where(lt(oneTimeCodes.expiresAt, new Date(now).toISOString())));
    const expiresAt = new Date(now + lifespan * 1000).toISOString();
    await run(session, builder.insert(oneTimeCodes).values({ hash: hashOf(code), purpose, userDocumentId, expiresAt }));
  });
  return code;
};

/** Deletes the codes of a user for some purposes. */
export const forgetCodes = async (
  session: Session,
  userDocumentId: string,
  purposes: readonly CodePurpose[],
): Promise<void> => {
  const { userDocumentId: owner, purpose } = oneTimeCodes;
  await run(session, builder.delete(oneTimeCodes).where(and(eq(owner, userDocumentId), inArray(purpose, purposes))));
};

/** Uses a code; undefined if it is unknown, used or expired. */
const redeem = async (database: Database, purposes: readonly CodePurpose[], code: string) => {
  const good = and(
    eq(oneTimeCodes.hash, hashOf(code)),
    inArray(oneTimeCodes.purpose, purposes),
    gt(oneTimeCodes.expiresAt, new Date().toISOString()),
  );
  const columns = getTableColumns(oneTimeCodes);
  const [row] = await selected(database, columns, builder.delete(oneTimeCodes).where(good).returning(columns));
  if (!row) return undefined;
  return {
    userDocumentId: row.userDocumentId,
    /** Makes the code valid again until its original expiry. */
    restore: async () => void (await run(database, builder.insert(oneTimeCodes).values(row).onConflictDoNothing())),
  };
};

type Services = Pick<AccountServices, "database" | "registry">;
type Redeemed = Awaited<ReturnType<typeof redeem>>;

const userOf = async (services: Services, redeemed: Redeemed): Promise<User | undefined> =>
  redeemed && findUserBy(services, { documentId: redeemed.userDocumentId });

/** Uses a code and returns its user; undefined if the code is unknown, used or expired. */
export const redeemCode = async (services: Services, purpose: CodePurpose, code: string): Promise<User | undefined> =>
  userOf(services, await redeem(services.database, [purpose], code));

/**
 * Uses a code for `work`, which gets its user (undefined if the code is not valid). If `work` fails with an error that
 * the client can correct (an HttpError below 500), the code stays valid.
 */
export const withCode = async <Result>(
  services: Services,
  purposes: readonly CodePurpose[],
  code: string,
  work: (user: User | undefined) => Promise<Result>,
): Promise<Result> => {
  const redeemed = await redeem(services.database, purposes, code);
  try {
    return await work(await userOf(services, redeemed));
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) await redeemed?.restore();
    throw error;
  }
};
