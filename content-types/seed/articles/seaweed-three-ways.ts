import { heading, paragraph } from "../blocks.ts";
import type { Story } from "./article.ts";

export const seaweedThreeWays: Story = {
  slug: "seaweed-three-ways",
  cover: "seaweed.webp",
  author: "tomas-rey",
  categories: ["food", "science"],
  tags: ["recipe", "tides"],
  related: ["reading-the-mudflats"],
  en: {
    title: "Seaweed, three ways",
    excerpt: "Dulse in butter, kelp in broth, and sea lettuce with almost nothing done to it.",
    body: [
      paragraph(
        "Go at spring tide, an hour before low water, with scissors. Cut above the holdfast and leave a third, always.",
      ),
      heading("Dulse butter"),
      paragraph(
        "Toast the dry dulse until it turns from red to green, crumble it, and fold it into soft butter with a little lemon. It is meant for potatoes and ends up on everything.",
      ),
      heading("Kelp broth"),
      paragraph(
        "One strip, a litre of cold water, a whole night. Heat it slowly in the morning and take the kelp out before it boils.",
      ),
      heading("Sea lettuce"),
      paragraph(
        "Rinse, dress with vinegar, eat within the hour. It does not travel, and that is the best thing about it.",
      ),
    ],
  },
};
