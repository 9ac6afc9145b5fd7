import { paragraph, quote } from "../blocks.ts";
import type { Story } from "./article.ts";

export const theNightFerry: Story = {
  slug: "the-night-ferry",
  cover: "night-ferry.webp",
  author: "amara-osei",
  categories: ["places"],
  tags: ["boats", "people"],
  en: {
    title: "The night ferry keeps its lights low",
    excerpt: "Nine hours, two islands, and a passenger lounge where strangers agree without a word to be quiet.",
    body: [
      paragraph(
        "At ten past eleven the ramp comes up and the harbour lets go of us. The bar closes at midnight. After that there is the hum of the engine, a vending machine that sells only tomato juice, and the sea, which is not visible and is everywhere.",
      ),
      paragraph(
        "The lorry drivers have cabins. The rest of us have the lounge, with its orange seats and its rule that nobody wrote down: shoes off, voices down, and if somebody's head sinks onto your shoulder you let it.",
      ),
      quote(
        "I have crossed four hundred times. I could not tell you the name of one person, and I would know all of them.",
      ),
      paragraph(
        "At six the first island is a line with a light at the end of it. By half past it has a smell: diesel, bread, wet rope.",
      ),
    ],
  },
  de: {
    title: "Die Nachtfähre dimmt das Licht",
    excerpt: "Neun Stunden, zwei Inseln und ein Salon, in dem Fremde sich wortlos darauf einigen, leise zu sein.",
    body: [
      paragraph(
        "Zehn nach elf geht die Rampe hoch, und der Hafen lässt uns los. Die Bar schließt um Mitternacht. Danach bleiben das Brummen der Maschine, ein Automat, der nur Tomatensaft verkauft, und das Meer, das man nicht sieht und das überall ist.",
      ),
      paragraph(
        "Die Fernfahrer haben Kabinen. Wir anderen haben den Salon mit den orangefarbenen Sitzen und einer Regel, die niemand aufgeschrieben hat: Schuhe aus, Stimme runter, und wenn ein Kopf auf deine Schulter sinkt, lässt du ihn liegen.",
      ),
      quote("Ich bin vierhundertmal gefahren. Ich weiß keinen einzigen Namen, und ich würde alle erkennen."),
      paragraph(
        "Um sechs ist die erste Insel ein Strich mit einem Licht am Ende. Um halb sieben riecht man sie: Diesel, Brot, nasses Tau.",
      ),
    ],
  },
};
