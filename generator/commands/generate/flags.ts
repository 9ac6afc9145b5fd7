/** The options of `cms generate`; an absent one was not given. */
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
  /** What to call the migration. */
  readonly name?: string;
  /** Begins renames in two steps, between which builds with the old and with the new name work. */
  readonly expand?: true;
  /** Ends them. */
  readonly contract?: true;
  readonly printModel?: true;
}
