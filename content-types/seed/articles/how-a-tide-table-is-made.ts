import { heading, paragraph } from "../blocks.ts";
import type { Story } from "./article.ts";

export const howATideTableIsMade: Story = {
  slug: "how-a-tide-table-is-made",
  cover: "tide-table.webp",
  author: "lewis-hart",
  categories: ["science"],
  tags: ["tides", "harbour"],
  en: {
    title: "How a tide table is made",
    excerpt:
      "Thirty-seven small waves added up, a brass gauge in a well, and a printer who still reads every line aloud.",
    body: [
      paragraph(
        "Every pocket tide table begins in a hole in the quay. Inside is a float on a wire, and the float has gone up and down with the water, twice a day, since before anybody in the office was born.",
      ),
      paragraph(
        "The moon pulls once, the sun pulls at half its strength, and the shape of the bay does the rest. Taken apart, the tide here is a sum of thirty-seven waves, each as regular as a clock. Add them up for next year and you have the table.",
      ),
      heading("What the sum leaves out"),
      paragraph(
        "Wind. A week of it from the south-west puts half a metre on top of everything, and no table knows. So the last page carries a sentence in bold type, unchanged since 1936: look out of the window as well.",
      ),
    ],
  },
  de: {
    title: "Wie eine Gezeitentafel entsteht",
    excerpt:
      "Siebenunddreißig kleine Wellen, ein Messingpegel im Schacht und ein Drucker, der jede Zeile noch laut liest.",
    body: [
      paragraph(
        "Jede Gezeitentafel für die Jackentasche beginnt mit einem Loch in der Kaimauer. Darin hängt ein Schwimmer an einem Draht, und er geht mit dem Wasser auf und ab, zweimal am Tag, seit bevor irgendwer im Büro geboren wurde.",
      ),
      paragraph(
        "Der Mond zieht einmal, die Sonne halb so stark, den Rest macht die Form der Bucht. Zerlegt man die Tide hier, bleiben siebenunddreißig Wellen, jede so regelmäßig wie eine Uhr. Für das nächste Jahr zusammengezählt, ergeben sie die Tafel.",
      ),
      heading("Was die Summe auslässt"),
      paragraph(
        "Den Wind. Eine Woche aus Südwest legt einen halben Meter auf alles drauf, und keine Tafel weiß davon. Darum steht auf der letzten Seite ein fett gedruckter Satz, unverändert seit 1936: Sehen Sie auch aus dem Fenster.",
      ),
    ],
  },
};
