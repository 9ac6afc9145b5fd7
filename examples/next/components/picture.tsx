import { picture } from "../../magazine/content.ts";

interface Props {
  readonly file: Parameters<typeof picture>[0];
  readonly sizes: string;
  readonly eager?: boolean;
}

/** The server has made the sizes already: there is nothing left to optimize. */
export const Picture = ({ file, sizes, eager }: Props) => {
  const { alt, ...image } = picture(file);
  return <img {...image} alt={alt} sizes={sizes} loading={eager ? "eager" : "lazy"} />;
};
