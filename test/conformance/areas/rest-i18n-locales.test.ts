import { replayArea } from "../replay-area.ts";

replayArea("rest-i18n-locales");
