import { heading, paragraph, quote } from "../blocks.ts";
import type { Story } from "./article.ts";

export const theLastRopeWalk: Story = {
  slug: "the-last-rope-walk",
  cover: "rope-walk.webp",
  gallery: ["boat-in-the-shed.webp", "harbour-morning.webp"],
  author: "ida-brandt",
  categories: ["craft"],
  tags: ["harbour", "people"],
  featured: true,
  en: {
    title: "The last rope walk",
    excerpt:
      "Three hundred metres of floorboards, one machine from 1911, and a family that still walks every rope it sells.",
    body: [
      paragraph(
        "The building is longer than the street it stands on. From the door you cannot see the far end, only a row of windows that grow smaller, and a strand of hemp that runs past all of them at the height of your hip.",
      ),
      paragraph(
        "Marit Solberg starts the wheel at seven. Then she walks backwards, paying out yarn from the bundle at her waist, and she does not stop until she has reached the other wall. On a good day that makes eleven kilometres, all of them in reverse.",
      ),
      heading("Why nobody does it any more"),
      paragraph(
        "A machine the size of a wardrobe makes the same rope in a fifth of the time. It cannot make it longer than its drum, though, and a ship that wants one unbroken line still has to come here.",
      ),
      quote("A splice is a promise. I would rather sell you something that needs no promises."),
    ],
    sections: [
      {
        __component: "blocks.quote",
        text: "You hear a bad strand before you see it. It hums a little too high.",
        attribution: "Marit Solberg, rope maker",
      },
    ],
  },
  de: {
    title: "Die letzte Reeperbahn",
    excerpt:
      "Dreihundert Meter Dielen, eine Maschine von 1911 und eine Familie, die jedes ihrer Seile noch zu Fuß geht.",
    body: [
      paragraph(
        "Das Gebäude ist länger als die Straße, an der es steht. Von der Tür aus sieht man das Ende nicht, nur eine Reihe kleiner werdender Fenster und einen Strang Hanf, der in Hüfthöhe an allen vorbeiläuft.",
      ),
      paragraph(
        "Um sieben setzt Marit Solberg das Rad in Gang. Dann geht sie rückwärts, gibt das Garn aus dem Bündel an ihrer Hüfte frei und bleibt erst an der anderen Wand stehen. An guten Tagen sind das elf Kilometer, alle im Rückwärtsgang.",
      ),
      heading("Warum das sonst niemand mehr macht"),
      paragraph(
        "Eine Maschine von der Größe eines Kleiderschranks schafft dasselbe Seil in einem Fünftel der Zeit. Länger als ihre Trommel wird es aber nicht, und wer ein Tau aus einem Stück braucht, kommt noch immer hierher.",
      ),
      quote("Ein Spleiß ist ein Versprechen. Ich verkaufe lieber etwas, das ohne Versprechen auskommt."),
    ],
    sections: [
      {
        __component: "blocks.quote",
        text: "Einen schlechten Strang hört man, bevor man ihn sieht. Er summt ein wenig zu hoch.",
        attribution: "Marit Solberg, Seilerin",
      },
    ],
  },
};
