/** The options of `cms generate`; undefined if not given. */
export interface GenerateFlags {
  /** Folder with the schema files, relative to the root. */
  readonly from?: string;
  readonly check?: true;
  readonly full?: true;
  readonly watch?: true;
  readonly force?: true;
  readonly verify?: true;
  readonly json?: true;
  /** What a migration may lose. */
  readonly allow?: readonly string[];
  /** The migration's name. */
  readonly name?: string;
  /** Begins two-step renames, during which builds with the old and the new name both work. */
  readonly expand?: true;
  /** Completes them. */
  readonly contract?: true;
  readonly printModel?: true;
}
