import type { RunningServer } from "../../runtime/app/start.ts";
import { out } from "./terminal.ts";

/** Says where the server answers: a line for people on a terminal, a log record elsewhere. */
export const announce = ({ port, services: { config, log } }: RunningServer): void => {
  const milliseconds = Math.round(process.uptime() * 1000);
  if (!process.stdout.isTTY) {
    log.info({ port, milliseconds }, "listening");
    return;
  }
  const address = config.server.url || `http://localhost:${port}`;
  const lines = [
    `${out.green("ready")} in ${milliseconds} ms`,
    `  REST     ${out.bold(address + config.rest.prefix)}`,
    `  GraphQL  ${out.bold(address + config.graphql.endpoint)}`,
    "  Stop with Ctrl+C.",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
};
