import { heading, list, paragraph } from "../blocks.ts";
import type { Story } from "./article.ts";

export const soupForForty: Story = {
  slug: "soup-for-forty",
  cover: "soup-for-forty.webp",
  author: "tomas-rey",
  categories: ["food"],
  tags: ["recipe", "boats"],
  featured: true,
  en: {
    title: "Soup for forty, in a swell",
    excerpt: "The cook of a research ship on tall pots, short ladles, and the one vegetable that never comes aboard.",
    body: [
      paragraph(
        "The first rule of cooking at sea is that the pot is never more than half full. The second is that you do not argue with the first. Benedita Couto learned both on the same afternoon, twenty-two years ago, with leek soup running down the inside of a cupboard.",
      ),
      paragraph(
        "Her galley on the survey ship is four metres by three. Forty people eat out of it three times a day, and the soup is what they talk about when they are back on land.",
      ),
      heading("What goes in"),
      list(
        "Two kilos of onions, sliced the evening before, while the ship is still in the lee of the island",
        "Smoked haddock, skin on, because the skin holds it together",
        "Potatoes in two sizes: small ones to thicken, large ones to find",
        "Dill stalks for the broth, dill tips for the bowl",
      ),
      paragraph("No celery. She does not explain, and the crew has stopped asking."),
    ],
  },
  de: {
    title: "Suppe für vierzig, bei Dünung",
    excerpt:
      "Die Köchin eines Forschungsschiffs über hohe Töpfe, kurze Kellen und das eine Gemüse, das nie an Bord kommt.",
    body: [
      paragraph(
        "Die erste Regel beim Kochen auf See: Der Topf ist nie mehr als halb voll. Die zweite: Über die erste wird nicht gestritten. Benedita Couto lernte beide am selben Nachmittag, vor zweiundzwanzig Jahren, während Lauchsuppe innen an einer Schranktür herunterlief.",
      ),
      paragraph(
        "Ihre Kombüse misst vier mal drei Meter. Vierzig Leute essen dreimal am Tag daraus, und von der Suppe erzählen sie, wenn sie wieder an Land sind.",
      ),
      heading("Was hineinkommt"),
      list(
        "Zwei Kilo Zwiebeln, am Vorabend geschnitten, solange das Schiff noch im Windschatten der Insel liegt",
        "Geräucherter Schellfisch mit Haut, denn die Haut hält ihn zusammen",
        "Kartoffeln in zwei Größen: kleine zum Binden, große zum Finden",
        "Dillstiele für die Brühe, Dillspitzen für den Teller",
      ),
      paragraph("Kein Sellerie. Sie erklärt es nicht, und die Mannschaft fragt nicht mehr."),
    ],
  },
};
