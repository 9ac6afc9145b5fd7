import type { Config } from "../config/config.ts";
import type { PageLimits } from "../query/index.ts";

/** Sizes of the pages that GraphQL answers with. */
export const pageLimits = ({
  defaultLimit,
  amountLimit,
}: Pick<Config["graphql"], "defaultLimit" | "amountLimit">): PageLimits => ({
  defaultLimit,
  maxLimit: amountLimit,
  withCount: true,
});
