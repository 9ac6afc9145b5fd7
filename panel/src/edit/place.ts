import { createContext } from "react";
import type { Place } from "./document.ts";

/** The document that the fields belong to. */
export const PlaceContext = createContext<Place | undefined>(undefined);
