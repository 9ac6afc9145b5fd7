import { SimpleGrid, Skeleton, Text, UnstyledButton } from "@mantine/core";
import { Icon } from "../ui/icons.tsx";
import { isImage, type MediaFile, smallUrl } from "./thumbnail.tsx";

interface Props {
  readonly files: readonly MediaFile[];
  readonly chosen: ReadonlySet<number>;
  choose(file: MediaFile): void;
}

const GRID = { cols: { base: 2, xs: 3, sm: 3, md: 4, lg: 6 }, spacing: "md" };

/** Files as tiles; each tile is a button. */
export const Tiles = ({ files, chosen, choose }: Props) => (
  <SimpleGrid {...GRID}>
    {files.map((file) => (
      <UnstyledButton
        key={file.id}
        className="tile"
        data-chosen={chosen.has(file.id)}
        aria-pressed={chosen.has(file.id)}
        onClick={() => choose(file)}
      >
        <span className="tile-picture">
          {isImage(file) ? (
            <img src={smallUrl(file)} alt={file.alternativeText ?? ""} loading="lazy" />
          ) : (
            <Icon name="file" size={32} />
          )}
        </span>
        <Text size="xs" p={8} truncate component="span" display="block">
          {file.name}
        </Text>
      </UnstyledButton>
    ))}
  </SimpleGrid>
);

export const LoadingTiles = () => (
  <SimpleGrid {...GRID}>
    {Array.from({ length: 12 }, (_none, index) => (
      <Skeleton key={index} height={150} />
    ))}
  </SimpleGrid>
);
