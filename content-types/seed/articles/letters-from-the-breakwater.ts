import { paragraph } from "../blocks.ts";
import type { Story } from "./article.ts";

export const lettersFromTheBreakwater: Story = {
  slug: "letters-from-the-breakwater",
  cover: "harbour-morning.webp",
  author: "lewis-hart",
  categories: ["places"],
  tags: ["harbour"],
  draft: true,
  en: {
    title: "Letters from the breakwater",
    excerpt: "A year of notes left between the stones. Still waiting for two permissions.",
    body: [
      paragraph(
        "The first one was in a tobacco tin, wedged between two blocks where the path bends. It said: the lamp is nicer from here. There was no name, and there was room on the back.",
      ),
    ],
  },
};
