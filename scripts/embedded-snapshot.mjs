/** Part of the build: prepares the empty database that the first start of a project unpacks. */
import { buildSnapshot } from "../dist/runtime/database/snapshot.js";

await buildSnapshot();
