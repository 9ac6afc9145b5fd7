/** What is done after the last test of a file, whoever asks for it: a hook that a test or another hook registers never runs. */
const works: (() => Promise<void>)[] = [];

export const atEndOfFile = (work: () => Promise<void>): void => {
  works.push(work);
};

/** Does it, the last first. */
export const endFile = async (): Promise<void> => {
  for (const work of works.splice(0).toReversed()) await work();
};
