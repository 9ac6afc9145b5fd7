/** Makes the files of an embedded database readable by the user alone. Loaded together with PGlite. */
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Options = Parameters<NodeFS["init"]>[1];
type Module = Parameters<NonNullable<Options["preRun"]>[number]>[0];

/** The operations of PGlite's file system that create files and folders, and their `mode`. */
interface FileOperations {
  mknod(parent: unknown, name: string, mode: number, device: unknown): unknown;
  setattr(file: unknown, attributes: { readonly mode?: number | null }): unknown;
}

/** The permission bits of group and others, which PGlite would set on some files. */
const OTHERS = 0o077;

const closeFiles = ({ NODEFS }: Module): void => {
  const operations: FileOperations = NODEFS.node_ops;
  const { mknod, setattr } = operations;
  operations.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~OTHERS, device);
  operations.setattr = (file, attributes) =>
    setattr(file, attributes.mode ? { ...attributes, mode: attributes.mode & ~OTHERS } : attributes);
};

/** A file system whose files and folders only the current user can access. */
export class PrivateFiles extends NodeFS {
  override init(engine: PGlite, options: Options): ReturnType<NodeFS["init"]> {
    return super.init(engine, { ...options, preRun: [...(options.preRun ?? []), closeFiles] });
  }
}
