import type { BlockNode, Blocks } from "galley-cms/document";

const textOf = (nodes: readonly { readonly [key: string]: unknown }[]): string =>
  nodes.map((node) => (Array.isArray(node.children) ? textOf(node.children) : String(node.text ?? ""))).join("");

const Block = ({ block }: { readonly block: BlockNode }) => {
  switch (block.type) {
    case "heading":
      return <h2>{textOf(block.children)}</h2>;
    case "quote":
      return <blockquote>{textOf(block.children)}</blockquote>;
    case "list":
      return (
        <ul>
          {block.children.map((item, index) => (
            <li key={index}>{textOf([item])}</li>
          ))}
        </ul>
      );
    case "image":
      return null;
    default:
      return <p>{textOf(block.children)}</p>;
  }
};

/** Rich text. What stands out in a line is shown plainly. */
export const BlocksText = ({ blocks }: { readonly blocks: Blocks }) =>
  blocks.map((block, index) => <Block key={index} block={block} />);
