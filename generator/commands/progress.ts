/** A progress line on the terminal, which disappears when the work is done. Silent elsewhere. */
export interface Progress {
  show(text: string): void;
  end(): void;
}

const silent: Progress = { show: () => {}, end: () => {} };

export const createProgress = (stream: NodeJS.WriteStream = process.stderr): Progress => {
  if (!stream.isTTY || process.env["CI"]) return silent;
  const replace = (text: string): void => {
    stream.cursorTo(0);
    stream.clearLine(1);
    stream.write(text);
  };
  return {
    show: (text) => replace(text.slice(0, stream.columns - 1)),
    end: () => replace(""),
  };
};

/** Shows what is being done while it lasts. */
export const withProgress = async <Result>(text: string, work: () => Promise<Result>): Promise<Result> => {
  const progress = createProgress();
  progress.show(text);
  try {
    return await work();
  } finally {
    progress.end();
  }
};
