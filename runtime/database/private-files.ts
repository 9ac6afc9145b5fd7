/** The files of an embedded database, which are nobody else's business on this machine. Loaded with the engine. */
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Options = Parameters<NodeFS["init"]>[1];
type Module = Parameters<NonNullable<Options["preRun"]>[number]>[0];

/** What the engine's file system does with files and folders, as far as it matters here. `mode` says who may do what. */
interface FileOperations {
  mknod(parent: unknown, name: string, mode: number, device: unknown): unknown;
  setattr(file: unknown, attributes: { readonly mode?: number | null }): unknown;
}

/** What PostgreSQL unpacks, and what it opens without saying for whom, the engine would make for everybody. */
const OTHERS = 0o077;

const closeFiles = ({ NODEFS }: Module): void => {
  const operations: FileOperations = NODEFS.node_ops;
  const { mknod, setattr } = operations;
  operations.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~OTHERS, device);
  operations.setattr = (file, attributes) =>
    setattr(file, attributes.mode ? { ...attributes, mode: attributes.mode & ~OTHERS } : attributes);
};

/** A folder whose files and folders are made for this account alone. */
export class PrivateFiles extends NodeFS {
  override init(engine: PGlite, options: Options): ReturnType<NodeFS["init"]> {
    return super.init(engine, { ...options, preRun: [...(options.preRun ?? []), closeFiles] });
  }
}
