/** How patterns are tried: as JavaScript does, unless a server bounds their time. Front ends load this, too. */

/** Whether a text matches a pattern. */
export type Trial = (pattern: RegExp, text: string) => boolean;

let trial: Trial = (pattern, text) => pattern.test(text);

export const matchesPattern: Trial = (pattern, text) => trial(pattern, text);

/** Has patterns tried in another way while `work` runs, which must not wait for anything. */
export const tryingBy = <Result>(other: Trial, work: () => Result): Result => {
  const before = trial;
  trial = other;
  try {
    return work();
  } finally {
    trial = before;
  }
};
