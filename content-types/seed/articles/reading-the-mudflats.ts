import { heading, paragraph } from "../blocks.ts";
import type { Story } from "./article.ts";

export const readingTheMudflats: Story = {
  slug: "reading-the-mudflats",
  cover: "mudflats.webp",
  author: "amara-osei",
  categories: ["science", "places"],
  tags: ["tides"],
  related: ["how-a-tide-table-is-made"],
  en: {
    title: "Reading the mudflats",
    excerpt: "Twice a day the sea redraws ten square kilometres of map. A guide explains where to put your feet.",
    body: [
      paragraph(
        "There is a path to the island, and it is never in the same place. Wiebke Harms has walked it since she was nine. She carries a compass, a whistle, and a rake handle with notches cut into it at the knee, the hip and the chest.",
      ),
      heading("Three colours of brown"),
      paragraph(
        "Grey brown holds. Brown with a shine holds if you keep moving. Brown with a skin of green does not hold, and does not give back boots.",
      ),
      paragraph(
        "The birds know all of this. Where the knots feed in a tight crowd the mud is soft and full; where a single curlew walks in a straight line, so can you.",
      ),
    ],
  },
  de: {
    title: "Das Watt lesen",
    excerpt:
      "Zweimal am Tag zeichnet das Meer zehn Quadratkilometer Karte neu. Eine Führerin erklärt, wohin die Füße gehören.",
    body: [
      paragraph(
        "Es gibt einen Weg zur Insel, und er liegt nie an derselben Stelle. Wiebke Harms geht ihn, seit sie neun ist. Sie hat einen Kompass dabei, eine Pfeife und einen Harkenstiel mit Kerben auf Höhe von Knie, Hüfte und Brust.",
      ),
      heading("Drei Sorten Braun"),
      paragraph(
        "Graubraun trägt. Glänzendes Braun trägt, solange man weitergeht. Braun mit grüner Haut trägt nicht und gibt keine Stiefel zurück.",
      ),
      paragraph(
        "Die Vögel wissen das alles. Wo Knutts dicht gedrängt fressen, ist der Schlick weich und voll; wo ein einzelner Brachvogel geradeaus geht, kann man es auch.",
      ),
    ],
  },
};
