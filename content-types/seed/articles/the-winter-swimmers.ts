import { paragraph, quote } from "../blocks.ts";
import type { Story } from "./article.ts";

export const theWinterSwimmers: Story = {
  slug: "the-winter-swimmers",
  cover: "winter-swimmers.webp",
  author: "ida-brandt",
  categories: ["places"],
  tags: ["people", "winter"],
  related: ["the-lighthouse-library"],
  en: {
    title: "The winter swimmers of Pier Four",
    excerpt: "They meet at half past six, in wool hats, and nobody has ever said why.",
    body: [
      paragraph(
        "The water has three degrees and a thin crust of ice that breaks like sugar. Six people walk down the steps in single file, without any of the noises that you and I would make.",
      ),
      paragraph(
        "The oldest is eighty-one. She stays in for as long as it takes to recite a certain poem under her breath. In November she manages the whole of it, in February the first two verses.",
      ),
      quote("You do not get used to it. You get used to wanting it."),
    ],
  },
  de: {
    title: "Die Winterschwimmer von Pier vier",
    excerpt: "Sie treffen sich um halb sieben, mit Wollmützen, und niemand hat je gesagt, warum.",
    body: [
      paragraph(
        "Das Wasser hat drei Grad und eine dünne Eiskruste, die bricht wie Zucker. Sechs Menschen gehen hintereinander die Stufen hinunter, ganz ohne die Geräusche, die unsereins machen würde.",
      ),
      paragraph(
        "Die Älteste ist einundachtzig. Sie bleibt so lange drin, wie ein bestimmtes Gedicht dauert, das sie leise aufsagt. Im November schafft sie es ganz, im Februar die ersten zwei Strophen.",
      ),
      quote("Man gewöhnt sich nicht daran. Man gewöhnt sich daran, es zu wollen."),
    ],
  },
};
