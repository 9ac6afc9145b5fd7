import Link from "next/link";
import { readMagazine, readStories } from "../../../magazine/content.ts";
import { words } from "../../../magazine/words.ts";
import { Picture } from "../../components/picture.tsx";
import { editionOf } from "../../edition.ts";

export default async function Home({ params }: PageProps<"/[locale]">) {
  const edition = await editionOf(params);
  const [{ tagline }, stories] = await Promise.all([readMagazine(edition), readStories(edition)]);
  const say = words[edition.locale];
  return (
    <>
      <h1>{tagline}</h1>
      <div className="stories">
        {stories.map(({ documentId, title, slug, excerpt, cover, author }, index) => (
          <article key={documentId}>
            {cover && (
              <Picture
                file={cover}
                sizes={index === 0 ? "(min-width: 48rem) 60vw, 100vw" : "20rem"}
                eager={index === 0}
              />
            )}
            <div>
              <h2>
                <Link href={`/${edition.locale}/articles/${slug}`}>{title ?? say.untitled}</Link>
              </h2>
              <p>{excerpt}</p>
              {author && (
                <p className="by">
                  {say.by} {author.name}
                </p>
              )}
            </div>
          </article>
        ))}
      </div>
    </>
  );
}
