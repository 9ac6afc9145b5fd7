import { paragraph, quote } from "../blocks.ts";
import type { Story } from "./article.ts";

export const theLighthouseLibrary: Story = {
  slug: "the-lighthouse-library",
  cover: "lighthouse-library.webp",
  author: "ida-brandt",
  categories: ["places"],
  tags: ["people", "winter"],
  featured: true,
  en: {
    title: "The lighthouse that lends books",
    excerpt:
      "When the lamp went automatic, the keeper's house filled up with novels. Borrowing is free; the stairs are not easy.",
    body: [
      paragraph(
        "The keeper left in 1988 and the lamp has minded itself ever since. What remained was a round tower with one hundred and twelve steps and nothing on them. Now each step has a shelf.",
      ),
      paragraph(
        "Travel is at the bottom, where the doors are. Poetry is near the top, for those who mean it. There are no cards and no fines: you write the title on a slate by the door, and the slate is wiped on the first of January, whatever is still out.",
      ),
      quote("We have more books now than in the year we opened. I stopped trying to explain it."),
    ],
  },
  de: {
    title: "Der Leuchtturm, der Bücher verleiht",
    excerpt:
      "Als die Lampe allein zurechtkam, füllte sich das Haus mit Romanen. Leihen kostet nichts; die Treppe schon.",
    body: [
      paragraph(
        "Der Wärter ging 1988, und seither passt die Lampe auf sich selbst auf. Geblieben ist ein runder Turm mit hundertzwölf leeren Stufen. Inzwischen hat jede Stufe ein Regal.",
      ),
      paragraph(
        "Unten bei der Tür steht das Reisen. Die Lyrik steht fast ganz oben, für alle, die es ernst meinen. Es gibt keine Ausweise und keine Gebühren: Man schreibt den Titel auf eine Tafel am Eingang, und am ersten Januar wird sie abgewischt, egal was noch draußen ist.",
      ),
      quote("Wir haben heute mehr Bücher als im ersten Jahr. Ich erkläre es mir nicht mehr."),
    ],
  },
};
