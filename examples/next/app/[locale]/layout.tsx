import "../../../magazine/style.css";
import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import { locales, readMagazine } from "../../../magazine/content.ts";
import { visitorName } from "../../../magazine/visitor.ts";
import { words } from "../../../magazine/words.ts";
import { editionOf } from "../../edition.ts";

type Props = LayoutProps<"/[locale]">;

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { siteName } = await readMagazine(await editionOf(params));
  return { title: { default: siteName, template: `%s · ${siteName}` }, icons: "data:," };
};

export default async function Layout({ params, children }: Props) {
  const edition = await editionOf(params);
  const { siteName, footer } = await readMagazine(edition);
  const say = words[edition.locale];
  const visitor = visitorName(await cookies());
  return (
    <html lang={edition.locale}>
      <body>
        {edition.preview && (
          <p role="status">
            {say.preview} <a href="/preview">{say.leave}</a>
          </p>
        )}
        <header>
          <Link className="name" href={`/${edition.locale}`}>
            {siteName}
          </Link>
          <nav>
            {locales
              .filter((locale) => locale !== edition.locale)
              .map((locale) => (
                <a key={locale} href={`/${locale}`} hrefLang={locale}>
                  {words[locale].language}
                </a>
              ))}
            <Link href={`/${edition.locale}/desk`}>{visitor ?? say.logIn}</Link>
          </nav>
        </header>
        <main>{children}</main>
        <footer>{footer}</footer>
      </body>
    </html>
  );
}
