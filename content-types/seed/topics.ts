export const categories = [
  {
    slug: "food",
    en: { name: "Food", description: "Kitchens with a view of the water." },
    de: { name: "Essen", description: "Küchen mit Blick aufs Wasser." },
  },
  {
    slug: "craft",
    en: { name: "Craft", description: "Hands, tools, and the time it takes." },
    de: { name: "Handwerk", description: "Hände, Werkzeug und die Zeit, die es braucht." },
  },
  {
    slug: "places",
    en: { name: "Places", description: "Piers, islands, and what lies between." },
    de: { name: "Orte", description: "Stege, Inseln und was dazwischenliegt." },
  },
  {
    slug: "science",
    en: { name: "Science", description: "How the sea keeps its appointments." },
    de: { name: "Wissen", description: "Wie das Meer seine Termine einhält." },
  },
] as const;

export const tags = [
  { slug: "harbour", name: "Harbour" },
  { slug: "boats", name: "Boats" },
  { slug: "tides", name: "Tides" },
  { slug: "people", name: "People" },
  { slug: "winter", name: "Winter" },
  { slug: "recipe", name: "Recipe" },
];
