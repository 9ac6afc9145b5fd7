import { SetupError } from "../../base/setup-error.ts";

/** The migration files do not match the database, or a statement failed. The message says what to do. */
export class MigrationError extends SetupError {}
