import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { readStory } from "../../../../../magazine/content.ts";
import { words } from "../../../../../magazine/words.ts";
import { BlocksText } from "../../../../components/blocks-text.tsx";
import { Picture } from "../../../../components/picture.tsx";
import { editionOf } from "../../../../edition.ts";

type Props = PageProps<"/[locale]/articles/[slug]">;

const storyOf = cache(async (params: Props["params"]) => {
  const edition = await editionOf(params);
  const story = await readStory(edition, (await params).slug);
  return { say: words[edition.locale], story: story ?? notFound() };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { say, story } = await storyOf(params);
  return { title: story.title ?? say.untitled };
};

export default async function Story({ params }: Props) {
  const { say, story } = await storyOf(params);
  const { title, excerpt, author, cover, body } = story;
  return (
    <article className="story">
      <h1>{title ?? say.untitled}</h1>
      <p>{excerpt}</p>
      {author && (
        <p className="by">
          {say.by} {author.name}
        </p>
      )}
      {cover && <Picture file={cover} sizes="(min-width: 42rem) 40rem, 100vw" eager />}
      {body && <BlocksText blocks={body} />}
    </article>
  );
}
