/** Targets that become localized. */
import type { Change, Findings } from "../change.ts";
import { threadsOf } from "../names/threads.ts";
import { hiddenLinks } from "../report/hidden-links.ts";
import { dare } from "../step.ts";

/**
 * A localized document shows targets of its own locale only, and those that become localized have none but the default
 * one. The links stay stored, but an editor who saves what was read removes them: that has to be allowed like any loss.
 */
export const hideLinks = ({ draft }: Findings, change: Change): void => {
  const { old, next, defaultLocale } = change;
  for (const { place, target, countIn } of hiddenLinks(old, next, threadsOf(change))) {
    const reason = `${target} would be localized: links of ${place} in other locales than ${JSON.stringify(defaultLocale)} would not be shown until their targets have a version there`;
    const loss = `sight of links of ${place} in other locales than ${JSON.stringify(defaultLocale)}, until their targets have a version there`;
    if (!dare(draft, `narrow:${place}`, reason, loss)) continue;
    draft.concerns.push({ what: `links of ${place} in other locales`, sql: countIn(defaultLocale), becomes: "hides" });
  }
};
