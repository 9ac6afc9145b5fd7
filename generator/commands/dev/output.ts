/** How `cms dev` reports errors: frames on a terminal, lines of JSON elsewhere. */
import { createLogger, type Logger } from "../../../runtime/base/log.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { diagnosticsToJson, printDiagnostics, summarize } from "../../diagnostics/print.ts";
import type { Outcome } from "../generate/outcome.ts";
import { err, out } from "../terminal.ts";
import { frame, readable } from "./readable-log.ts";

export type Output = ReturnType<typeof createOutput>;

/** On a terminal, the log is formatted for people too. */
const createLog = (logger: Config["logger"]): Logger =>
  process.stdout.isTTY ? createLogger(logger, readable(process.stdout, out)) : createLogger(logger);

export const createOutput = ({ logger }: Pick<Config, "logger">) => {
  const isTerminal = process.stderr.isTTY === true;
  // Diagnostics have a `code`, which is not sensitive.
  const faults = createLogger({ level: "info", redacts: false }, process.stderr);
  return {
    /** The server's log. */
    log: createLog(logger),
    /** An error that the developer can fix. */
    error(message: string): void {
      if (isTerminal) process.stderr.write(frame("error", message, err.red));
      else faults.error(message);
    },
    /** What is wrong with the schema files, if anything. */
    diagnostics({ diagnostics }: Pick<Outcome, "diagnostics">): void {
      if (isTerminal) process.stderr.write(printDiagnostics(diagnostics, err));
      else if (diagnostics.length > 0) {
        const level = diagnostics.some(({ severity }) => severity === "error") ? "error" : "warn";
        faults[level]({ diagnostics: diagnosticsToJson(diagnostics) }, summarize(diagnostics));
      }
    },
  };
};
