import type { Metadata } from "next";
import { cookies } from "next/headers";
import { visitorName } from "../../../../magazine/visitor.ts";
import { words } from "../../../../magazine/words.ts";
import { editionOf } from "../../../edition.ts";
import { Forms } from "./forms.tsx";

type Props = PageProps<"/[locale]/desk">;

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await editionOf(params);
  return { title: words[locale].propose };
};

export default async function Desk({ params }: Props) {
  const { locale } = await editionOf(params);
  return <Forms locale={locale} visitor={visitorName(await cookies())} />;
}
