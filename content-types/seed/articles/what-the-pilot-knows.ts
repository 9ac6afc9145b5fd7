import { paragraph, quote } from "../blocks.ts";
import type { Story } from "./article.ts";

export const whatThePilotKnows: Story = {
  slug: "what-the-pilot-knows",
  cover: "harbour-pilot.webp",
  author: "amara-osei",
  categories: ["craft"],
  tags: ["harbour", "boats", "people"],
  related: ["how-a-tide-table-is-made", "the-night-ferry"],
  en: {
    title: "What the harbour pilot knows",
    excerpt: "She climbs a rope ladder onto ships the size of streets, says good morning, and turns them left.",
    body: [
      paragraph(
        "The ladder is nine metres and it moves. Nadia Petrov waits for the crest, steps across, and is on the third rung before the boat has dropped away. She has never counted how often. Counting, she says, is how you start to think about it.",
      ),
      paragraph(
        "On the bridge she asks for coffee and for silence, in that order. The channel is two hundred metres wide and the ship is fifty. There is a church tower, a red buoy and a hotel, and when the three stand in line it is time.",
      ),
      quote(
        "The captain knows his ship. I know my river. For two hours we are one person, and then I go home for lunch.",
      ),
    ],
    sections: [
      {
        __component: "blocks.text",
        body: "**Pilotage in numbers:** 4,200 ships a year, 26 pilots, one channel. The largest ship so far was 366 metres long.",
      },
    ],
  },
  de: {
    title: "Was die Hafenlotsin weiß",
    excerpt:
      "Sie klettert über eine Strickleiter auf Schiffe, so lang wie Straßen, sagt guten Morgen und biegt links ab.",
    body: [
      paragraph(
        "Die Leiter misst neun Meter und bewegt sich. Nadia Petrov wartet den Wellenkamm ab, macht einen Schritt und steht auf der dritten Sprosse, bevor das Boot wegsackt. Wie oft schon, hat sie nie gezählt. Mit dem Zählen, sagt sie, fängt das Nachdenken an.",
      ),
      paragraph(
        "Auf der Brücke bittet sie um Kaffee und um Ruhe, in dieser Reihenfolge. Die Rinne ist zweihundert Meter breit, das Schiff fünfzig. Es gibt einen Kirchturm, eine rote Tonne und ein Hotel, und wenn alle drei in einer Linie stehen, ist es so weit.",
      ),
      quote(
        "Der Kapitän kennt sein Schiff. Ich kenne meinen Fluss. Zwei Stunden sind wir eine Person, dann gehe ich zum Mittagessen nach Hause.",
      ),
    ],
    sections: [
      {
        __component: "blocks.text",
        body: "**Das Revier in Zahlen:** 4200 Schiffe im Jahr, 26 Lotsen, eine Rinne. Das bisher größte Schiff war 366 Meter lang.",
      },
    ],
  },
};
