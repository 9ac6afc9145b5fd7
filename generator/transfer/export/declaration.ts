type Json = Readonly<Record<string, unknown>>;

/** A schema file, or what is built in. */
export interface Declaration {
  readonly uid: string;
  /** Components have none. */
  readonly kind?: string | undefined;
  readonly globalId?: string | undefined;
  readonly collectionName?: string | undefined;
  readonly info: Json;
  readonly options?: Json | undefined;
  readonly pluginOptions?: Json | undefined;
  readonly attributes: Json;
}
