import { SetupError } from "../base/setup-error.ts";

/** The files and the database do not fit together, or a statement failed: the message says what to do. */
export class MigrationError extends SetupError {}
