import { closeServices, createServices } from "../../runtime/app/start.ts";
import type { Services } from "../../runtime/http/context.ts";

/** Runs `work` with what the server has of a project, such as documents and mail. */
export const withServices = async (
  project: Parameters<typeof createServices>[0],
  work: (services: Services) => Promise<void>,
): Promise<void> => {
  const services = await createServices(project);
  try {
    await work(services);
  } finally {
    await closeServices(services);
  }
};
