/** A progress line on the terminal, which disappears when the work is done. Silent elsewhere. */

/** Replaces the line by another text. */
type Show = (text: string) => void;

const lineOn = (stream: NodeJS.WriteStream): Show => {
  if (!stream.isTTY || process.env["CI"]) return () => {};
  return (text) => {
    stream.cursorTo(0);
    stream.clearLine(1);
    stream.write(text.slice(0, stream.columns - 1));
  };
};

/** Shows what is being done while it lasts: `text`, and then what `work` shows. */
export const withProgress = async <Result>(text: string, work: (show: Show) => Promise<Result>): Promise<Result> => {
  const show = lineOn(process.stderr);
  show(text);
  try {
    return await work(show);
  } finally {
    show("");
  }
};
