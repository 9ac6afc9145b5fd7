import { list, paragraph } from "../blocks.ts";
import type { Story } from "./article.ts";

export const smokeAndAlder: Story = {
  slug: "smoke-and-alder",
  cover: "smoke-and-alder.webp",
  author: "tomas-rey",
  categories: ["food", "craft"],
  tags: ["recipe", "winter"],
  related: ["soup-for-forty"],
  en: {
    title: "Smoke and alder",
    excerpt: "A wooden hut, a slow fire, and the case for leaving a fish alone for nine hours.",
    body: [
      paragraph(
        "Juhani's hut has no thermometer. He puts his hand on the third board from the left, counts, and either opens the flap or does not. The herring hang in the dark like tools.",
      ),
      paragraph("Alder, because it burns sweet and says little. Never pine. If all you have is apple, use less of it."),
      list(
        "Salt for two hours in a brine that floats an egg",
        "Dry in the wind until the skin is tacky, about as long as a film",
        "Smoke at hand-warm for nine hours, and resist looking",
      ),
      paragraph(
        "Eat the first one standing up, outside, with your fingers. The rest will keep for a week, though it never has.",
      ),
    ],
  },
  de: {
    title: "Rauch und Erle",
    excerpt: "Eine Holzhütte, ein langsames Feuer und ein Plädoyer dafür, einen Fisch neun Stunden in Ruhe zu lassen.",
    body: [
      paragraph(
        "In Juhanis Hütte hängt kein Thermometer. Er legt die Hand auf das dritte Brett von links, zählt und öffnet die Klappe oder eben nicht. Die Heringe hängen im Dunkeln wie Werkzeug.",
      ),
      paragraph("Erle, weil sie süß brennt und wenig sagt. Nie Kiefer. Wer nur Apfel hat, nimmt weniger."),
      list(
        "Zwei Stunden in eine Lake, in der ein Ei schwimmt",
        "Im Wind trocknen, bis die Haut klebt, etwa einen Spielfilm lang",
        "Neun Stunden handwarm räuchern und nicht nachsehen",
      ),
      paragraph(
        "Den ersten isst man im Stehen, draußen, mit den Fingern. Der Rest hält eine Woche, auch wenn es noch nie so weit kam.",
      ),
    ],
  },
};
