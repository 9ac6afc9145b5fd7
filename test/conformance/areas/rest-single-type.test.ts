import { replayArea } from "../replay-area.ts";

replayArea("rest-single-type");
