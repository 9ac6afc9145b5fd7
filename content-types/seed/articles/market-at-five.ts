import { heading, list, paragraph } from "../blocks.ts";
import type { Story } from "./article.ts";

export const marketAtFive: Story = {
  slug: "market-at-five",
  cover: "market-at-five.webp",
  author: "tomas-rey",
  categories: ["food", "places"],
  tags: ["harbour", "people"],
  en: {
    title: "The market at five in the morning",
    excerpt: "What to buy, what to leave, and why the best stall has no sign.",
    body: [
      paragraph(
        "The lamps go on at twenty to five and the prices are made in the dark before that. By the time the trams run it is all over, and people who arrive at eight believe that they have seen a fish market.",
      ),
      heading("A short set of rules"),
      list(
        "Buy the fish that looks back at you",
        "Never be the first in a queue, and never be the fifth",
        "When the woman with the green apron shakes her head, take the mackerel",
      ),
      paragraph(
        "The stall without a sign belongs to two brothers who fish alternate nights and have not spoken since spring. Both sell excellent sole.",
      ),
    ],
  },
  de: {
    title: "Der Markt um fünf Uhr früh",
    excerpt: "Was man kauft, was man liegen lässt und warum der beste Stand kein Schild hat.",
    body: [
      paragraph(
        "Um zwanzig vor fünf gehen die Lampen an, und die Preise sind da längst gemacht. Wenn die Straßenbahn fährt, ist alles vorbei, und wer um acht kommt, glaubt, er habe einen Fischmarkt gesehen.",
      ),
      heading("Ein paar Regeln"),
      list(
        "Den Fisch kaufen, der zurückschaut",
        "Nie als Erster anstehen und nie als Fünfter",
        "Schüttelt die Frau mit der grünen Schürze den Kopf, die Makrele nehmen",
      ),
      paragraph(
        "Der Stand ohne Schild gehört zwei Brüdern, die abwechselnd nachts hinausfahren und seit dem Frühjahr nicht miteinander reden. Beide haben hervorragende Seezungen.",
      ),
    ],
  },
};
