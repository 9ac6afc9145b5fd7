/** For what comes in a moment, and may take its time on a machine that does other things besides. */
export const SOON = { timeout: 120_000, interval: 50 };
