import { firstPanelUser } from "../../runtime/accounts/roles/panel-roles.ts";
import type { RunningServer } from "../../runtime/app/start.ts";
import type { Services } from "../../runtime/http/context.ts";
import { out } from "./terminal.ts";

/** A hook or a required user attribute may reject the first user; the server starts anyway. */
const firstLink = async (services: Services): Promise<string | undefined> => {
  const { panel } = services.config;
  if (!panel) return undefined;
  try {
    const link = await firstPanelUser(services, panel.roles);
    return link === undefined ? undefined : panel.path + link;
  } catch (error) {
    services.log.warn({ err: error }, "the first user of the panel could not be created");
    return undefined;
  }
};

/**
 * Prints the server's address and where to set the first panel user's password: as text on a terminal, as log records
 * elsewhere.
 */
export const announce = async ({ port, services }: RunningServer): Promise<void> => {
  const { config, log } = services;
  const { panel } = config;
  const milliseconds = Math.round(process.uptime() * 1000);
  const address = config.server.url || `http://localhost:${port}`;
  const first = await firstLink(services);
  const link = first === undefined ? undefined : address + first;
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
