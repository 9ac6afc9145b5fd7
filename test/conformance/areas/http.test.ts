import { replayArea } from "../replay-area.ts";

replayArea("http");
