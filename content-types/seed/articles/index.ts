import { aBoatInTheShed } from "./a-boat-in-the-shed.ts";
import type { Story } from "./article.ts";
import { howATideTableIsMade } from "./how-a-tide-table-is-made.ts";
import { lettersFromTheBreakwater } from "./letters-from-the-breakwater.ts";
import { marketAtFive } from "./market-at-five.ts";
import { readingTheMudflats } from "./reading-the-mudflats.ts";
import { seaweedThreeWays } from "./seaweed-three-ways.ts";
import { smokeAndAlder } from "./smoke-and-alder.ts";
import { soupForForty } from "./soup-for-forty.ts";
import { theLastRopeWalk } from "./the-last-rope-walk.ts";
import { theLighthouseLibrary } from "./the-lighthouse-library.ts";
import { theNightFerry } from "./the-night-ferry.ts";
import { theWinterSwimmers } from "./the-winter-swimmers.ts";
import { whatThePilotKnows } from "./what-the-pilot-knows.ts";

/** In the order of publication: a story stands after those that it names as related. */
export const stories: readonly Story[] = [
  theLastRopeWalk,
  soupForForty,
  theNightFerry,
  howATideTableIsMade,
  theLighthouseLibrary,
  smokeAndAlder,
  readingTheMudflats,
  aBoatInTheShed,
  marketAtFive,
  whatThePilotKnows,
  seaweedThreeWays,
  theWinterSwimmers,
  lettersFromTheBreakwater,
];
