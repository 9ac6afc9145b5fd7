/** A promise together with the function that resolves it. */
export const deferred = (): { readonly promise: Promise<void>; resolve(): void } => {
  const parts: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => {
    parts.resolve = resolve;
  });
  return { promise, resolve: () => parts.resolve?.() };
};
