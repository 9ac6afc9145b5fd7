/** Settings of searches. */
import { z } from "zod";
import { isSearchEngine, type SearchEngine } from "./engine.ts";

const ENGINE = { error: 'expected "postgres" or an engine such as meilisearch({ url })' };

/** What `_q` searches, and how. */
export const searchConfig = z
  .strictObject({
    /** What searches types with `options.search`: the database's full-text search, or an engine outside. */
    engine: z.union([z.literal("postgres"), z.custom<SearchEngine>(isSearchEngine)], ENGINE).optional(),
    /** Whether full-text search that finds nothing looks for words with a typo. */
    typos: z.boolean().default(false),
    /** Whether `_q` also searches the text in components, dynamic zones and blocks. */
    components: z.boolean().default(false),
    /** Whether filters reach the entries of dynamic zones, which the wire format refuses. */
    zoneFilters: z.boolean().default(false),
  })
  .prefault({});
