import { replayArea } from "../replay-area.ts";

replayArea("rest-format-v4");
