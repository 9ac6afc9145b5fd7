import { replayArea } from "../replay-area.ts";

replayArea("rate-limit");
