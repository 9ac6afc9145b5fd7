/** The result of `work`; throws the error that `late` creates if it takes longer than `milliseconds`. */
export const inTime = async <Result>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Error,
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};
