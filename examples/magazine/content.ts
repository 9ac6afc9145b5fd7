/** What both sites ask of the server. Types of answers follow from the questions. */
import type { File } from "galley-cms/document";
import { createClient } from "../../generated/client/index.ts";
import { serverUrl, siteToken } from "./settings.ts";

export const locales = ["en", "de"] as const;
export type Locale = (typeof locales)[number];

export const isLocale = (value: string | undefined): value is Locale => locales.some((locale) => locale === value);

/** What a page shows: what is published, or drafts to whoever looks at a preview. */
export interface Edition {
  readonly locale: Locale;
  readonly preview: boolean;
}

/** The public reads without a token. Drafts need one, which stays on the server of the site. */
const clientOf = ({ preview }: Edition) =>
  createClient({ url: serverUrl(), ...(preview ? { token: siteToken() } : {}), init: { cache: "no-store" } });

const statusOf = ({ preview }: Edition): "draft" | "published" => (preview ? "draft" : "published");

const image = { fields: ["url", "alternativeText", "width", "height", "formats"] } as const;

/** What the magazine says of itself. */
export const readMagazine = async (edition: Edition) =>
  (await clientOf(edition).global.find({ fields: ["siteName", "tagline", "footer"] })).data;

/** The stories of a language, the newest first. */
export const readStories = async (edition: Edition) => {
  const { data } = await clientOf(edition).articles.find({
    locale: edition.locale,
    status: statusOf(edition),
    fields: ["title", "slug", "excerpt"],
    populate: { cover: image, author: { fields: ["name"] } },
    sort: "createdAt:desc",
    pagination: { pageSize: 50 },
  });
  return data;
};

/** A story; undefined where there is none of that name. */
export const readStory = async (edition: Edition, slug: string) => {
  const { data } = await clientOf(edition).articles.find({
    locale: edition.locale,
    status: statusOf(edition),
    filters: { slug: { $eq: slug } },
    fields: ["title", "excerpt", "body"],
    populate: { cover: image, author: { fields: ["name"] } },
    pagination: { pageSize: 1 },
  });
  return data[0];
};

const at = (path: string): string => new URL(path, serverUrl()).href;

/** The attributes of an `img` that loads no more pixels than it shows. */
export const picture = ({
  url,
  alternativeText,
  width,
  height,
  formats,
}: Pick<File, (typeof image.fields)[number]>) => {
  const sizes = [...Object.values(formats ?? {}), { url, width }];
  return {
    src: at(url),
    srcSet: sizes.map(({ url, width }) => `${at(url)} ${width}w`).join(", "),
    alt: alternativeText ?? "",
    width: width ?? undefined,
    height: height ?? undefined,
  };
};
