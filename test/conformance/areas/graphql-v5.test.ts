import { replayArea } from "../replay-area.ts";

replayArea("graphql-v5");
