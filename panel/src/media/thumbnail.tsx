import { Icon } from "../ui/icons.tsx";

/** A file in the shape of the server's answers. */
export interface MediaFile {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly mime: string;
  readonly size?: number;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  readonly focalPoint?: unknown;
  readonly formats?: Readonly<Record<string, { readonly url: string }>> | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

export const isFile = (value: unknown): value is MediaFile =>
  typeof value === "object" && value !== null && "url" in value && "mime" in value;

/** An address of a file that the browser has not in its cache since before the content was replaced. */
export const currentUrl = (url: string, { updatedAt }: MediaFile): string =>
  updatedAt === undefined || url.includes("?") ? url : `${url}?${encodeURIComponent(updatedAt)}`;

/** The address of a small version of an image. */
export const smallUrl = (file: MediaFile): string =>
  currentUrl(file.formats?.["thumbnail"]?.url ?? file.formats?.["small"]?.url ?? file.url, file);

export const isImage = ({ mime }: MediaFile): boolean => mime.startsWith("image/");

export const Thumbnail = ({ file, size }: { readonly file: MediaFile; readonly size: number }) => (
  <span
    style={{
      display: "inline-grid",
      placeItems: "center",
      width: size,
      height: size,
      overflow: "hidden",
      borderRadius: 6,
      background: "var(--panel-back)",
      color: "var(--panel-soft)",
      flex: "none",
    }}
  >
    {isImage(file) ? (
      <img
        src={smallUrl(file)}
        alt={file.alternativeText ?? ""}
        width={size}
        height={size}
        style={{ objectFit: "cover" }}
      />
    ) : (
      <Icon name="file" size={size / 2} />
    )}
  </span>
);
