import { checkEntityStep, entityComparison } from "../entity-recordings.ts";
import { replayArea } from "../replay-area.ts";

replayArea("graphql-v4", { comparison: entityComparison, check: checkEntityStep });
