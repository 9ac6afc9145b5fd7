/** What the compiler refuses of the generated client: every marked line. Checked by `npm run typecheck`. */
import { createClient } from "../../generated/client/index.ts";

const cms = createClient({ url: "https://cms.example" });

export const options = (): void => {
  // @ts-expect-error no address
  createClient({});
  // @ts-expect-error no such option
  createClient({ url: "", tokens: "…" });
};

export const refused = async (): Promise<void> => {
  // @ts-expect-error no such content type
  void cms.articels;
  // @ts-expect-error tags have no drafts
  void cms.tags.publish;
  // @ts-expect-error one document only
  void cms.homepage.findOne;

  // @ts-expect-error no such parameter
  await cms.articles.find({ filter: {} });
  // @ts-expect-error no such attribute
  await cms.articles.find({ fields: ["titel"] });
  // @ts-expect-error a relation is populated
  await cms.articles.find({ fields: ["author"] });
  // @ts-expect-error private
  await cms.authors.find({ fields: ["email"] });
  // @ts-expect-error private
  await cms.authors.find({ filters: { email: "ada@example.com" } });
  // @ts-expect-error private
  await cms.authors.find({ sort: "email" });
  // @ts-expect-error private behind a relation
  await cms.articles.find({ filters: { author: { email: "ada@example.com" } } });
  // @ts-expect-error private in a group behind a relation
  await cms.articles.find({ filters: { $or: [{ author: { $not: { email: "ada@example.com" } } }] } });
  // @ts-expect-error private behind a relation
  await cms.articles.find({ sort: { author: { email: "asc" } } });
  // @ts-expect-error private in what is populated
  await cms.articles.find({ populate: { author: { fields: ["email"] } } });
  // @ts-expect-error refused by the server: `true` is the author, `{ populate: "*" }` the author with everything below
  await cms.articles.find({ populate: { author: "*" } });
  // @ts-expect-error private in a filter of what is populated
  await cms.tags.find({ populate: { articles: { filters: { author: { email: "a" } } } } });
  // @ts-expect-error no such relation
  await cms.articles.find({ populate: { autor: true } });
  // @ts-expect-error no such relation beside one that is there, two levels down
  await cms.articles.find({ populate: { author: { populate: { portrait: true, portrai: true } } } });
  // @ts-expect-error files are not counted
  await cms.articles.find({ populate: { gallery: { count: true } } });
  // @ts-expect-error neither are localizations
  await cms.articles.find({ populate: { localizations: { count: true } } });
  // @ts-expect-error a component that the zone does not list
  await cms.articles.find({ populate: { sections: { on: { "shared.seo": true } } } });
  // @ts-expect-error no such operator
  await cms.articles.find({ filters: { title: { $contain: "Tea" } } });
  // @ts-expect-error a truth value holds no text
  await cms.articles.find({ filters: { featured: { $contains: "t" } } });
  // @ts-expect-error no such direction
  await cms.articles.find({ sort: "title:down" });
  // @ts-expect-error two ways to say which part
  await cms.articles.find({ pagination: { page: 1, limit: 5 } });
  // @ts-expect-error a cursor and a page
  await cms.articles.find({ pagination: { after: "", page: 1 } });
  // @ts-expect-error a cursor and a start
  await cms.articles.find({ pagination: { after: "", start: 1 } });
  // @ts-expect-error no such part of a page
  await cms.articles.find({ pagination: { page: 1, size: 5 } });
  // @ts-expect-error all of them, whatever the page
  cms.articles.all({ pagination: { page: 2 } });
  // @ts-expect-error no such status
  await cms.articles.find({ status: "drafts" });

  // @ts-expect-error a slug is required where it is published
  await cms.articles.create({ data: { title: "Tea" } });
  // @ts-expect-error no such attribute
  await cms.articles.create({ data: { title: "Tea", slug: "tea", titel: "Tea" } });
  // @ts-expect-error wrong type
  await cms.articles.update("a", { data: { title: 1 } });
  // @ts-expect-error no such relation in the answer
  await cms.articles.publish("a", { populate: { autor: true } });
  // @ts-expect-error no such parameter of an action
  await cms.articles.publish("a", { status: "draft" });
  // @ts-expect-error users have numbers
  await cms.users.findOne("a");
  // @ts-expect-error a user needs a password and a role
  await cms.users.create({ username: "ada", email: "ada@example.com" });
  // @ts-expect-error nobody logs in without a password
  await cms.auth.login({ identifier: "ada" });
  // @ts-expect-error no such fact of a file
  await cms.files.update(1, { altText: "A" });
  // @ts-expect-error the method is the client's
  await cms.articles.find({}, { method: "POST" });
};
