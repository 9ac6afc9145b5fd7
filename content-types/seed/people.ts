/** The authors of the magazine. */
export const authors = [
  {
    name: "Ida Brandt",
    slug: "ida-brandt",
    email: "ida@quayside.example",
    biography: "Writes about people who make things slowly. Lives above a sail loft and owns no boat.",
    portrait: "ida-brandt.webp",
    links: [{ label: "Photographs", url: "https://ida.quayside.example", external: true }],
  },
  {
    name: "Tomás Rey",
    slug: "tomas-rey",
    email: "tomas@quayside.example",
    biography: "Cooked on three ferries before he wrote about food. Believes in salt and in being early.",
    portrait: "tomas-rey.webp",
    links: [],
  },
  {
    name: "Amara Osei",
    slug: "amara-osei",
    email: "amara@quayside.example",
    biography: "Reports from harbours, estuaries and the places between two timetables.",
    portrait: "amara-osei.webp",
    links: [
      { label: "Field notes", url: "https://amara.quayside.example", external: true },
      { label: "All stories", url: "/authors/amara-osei", external: false },
    ],
  },
  {
    name: "Lewis Hart",
    slug: "lewis-hart",
    email: "lewis@quayside.example",
    biography: "Former surveyor. Explains instruments, tides and other machines that nobody has to wind.",
    portrait: "lewis-hart.webp",
    links: [],
  },
];
