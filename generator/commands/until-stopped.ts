/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(130);
      stopping = true;
      resolve();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
