import { paragraph, quote } from "../blocks.ts";
import type { Story } from "./article.ts";

export const aBoatInTheShed: Story = {
  slug: "a-boat-in-the-shed",
  cover: "boat-in-the-shed.webp",
  author: "lewis-hart",
  categories: ["craft"],
  tags: ["boats", "winter"],
  related: ["the-last-rope-walk"],
  en: {
    title: "There is a boat in the shed",
    excerpt: "She was meant to take one winter. Eleven years on, the builders have stopped giving dates.",
    body: [
      paragraph(
        "The drawings are for a six-metre dinghy with a lug sail. The shed is six metres and forty. Nobody did that sum until the stem was up, and by then they were all rather fond of her.",
      ),
      paragraph(
        "Work happens on Thursdays. Somebody brings soup, somebody brings a plank, and the evening goes into deciding where the plank belongs. Last year they took two off again.",
      ),
      quote("We are not slow. We are unwilling to be finished."),
    ],
  },
  de: {
    title: "Im Schuppen liegt ein Boot",
    excerpt: "Ein Winter war geplant. Nach elf Jahren nennen die Erbauer keine Termine mehr.",
    body: [
      paragraph(
        "Die Zeichnung zeigt eine Jolle von sechs Metern mit Luggersegel. Der Schuppen hat sechs Meter vierzig. Nachgerechnet wurde erst, als der Vorsteven stand, und da hatten sie das Boot alle schon recht gern.",
      ),
      paragraph(
        "Gearbeitet wird donnerstags. Jemand bringt Suppe mit, jemand eine Planke, und der Abend vergeht mit der Frage, wohin sie gehört. Im letzten Jahr haben sie zwei wieder abgenommen.",
      ),
      quote("Wir sind nicht langsam. Wir wollen nur nicht fertig werden."),
    ],
  },
};
