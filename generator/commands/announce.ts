import { firstPanelUser } from "../../runtime/accounts/roles/panel-roles.ts";
import type { RunningServer } from "../../runtime/app/start.ts";
import { out } from "./terminal.ts";

/**
 * Says where the server answers, and where the first user of the panel sets a password: lines for people on a terminal,
 * log records elsewhere.
 */
export const announce = async ({ port, services }: RunningServer): Promise<void> => {
  const { config, log } = services;
  const { panel } = config;
  const milliseconds = Math.round(process.uptime() * 1000);
  const address = config.server.url || `http://localhost:${port}`;
  const first = panel ? await firstPanelUser(services, panel.roles) : undefined;
  const link = panel && first !== undefined ? address + panel.path + first : undefined;
  if (!process.stdout.isTTY) {
    log.info({ port, milliseconds }, "listening");
    if (link !== undefined) log.info({ link }, "the first user of the panel, admin, sets a password here");
    return;
  }
  const lines = [
    `${out.green("ready")} in ${milliseconds} ms`,
    `  REST     ${out.bold(address + config.rest.prefix)}`,
    `  GraphQL  ${out.bold(address + config.graphql.endpoint)}`,
    ...(panel ? [`  Panel    ${out.bold(address + panel.path)}`] : []),
    ...(link === undefined ? [] : [`  Set the password of its first user, admin, once: ${out.bold(link)}`]),
    "  Stop with Ctrl+C.",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
};
