/** Sends requests to the application in the same process: a seed writes like any client, with the same checks. */
import type { Hono } from "hono";
import qs from "qs";
import { z } from "zod";
import { system } from "../../access/caller.ts";
import { SetupError } from "../../base/setup-error.ts";
import type { AppEnv } from "../../http/context.ts";
import type { Services } from "../../http/services.ts";
import type { Application } from "../application.ts";
import { createHonoApp } from "../server.ts";

export interface SeedClient {
  /** The answer; undefined if there is no such document. `path` is relative to the REST prefix. */
  get(path: string, query: object): Promise<unknown>;
  send(method: "POST" | "PUT", path: string, query: object, body: object | FormData): Promise<unknown>;
}

const failure = z.object({
  error: z.object({
    message: z.string(),
    details: z
      .object({ errors: z.array(z.object({ path: z.array(z.unknown()), message: z.string() })).optional() })
      .optional(),
  }),
});

/** The reason why a request was refused, in one line. */
const reason = (status: number, answer: unknown): string => {
  const known = failure.safeParse(answer);
  if (!known.success) return `status ${status}`;
  const { message, details } = known.data.error;
  return details?.errors?.map((each) => `${each.path.join(".")}: ${each.message}`).join("; ") ?? message;
};

/** An application that accepts every request as one of the system. */
const trusted = (services: Services, application: Application): Hono<AppEnv> =>
  createHonoApp({ ...services, auth: { ...services.auth, authenticate: () => system } }, application);

export const createSeedClient = (services: Services, application: Application): SeedClient => {
  const app = trusted(services, application);
  const address = (path: string, query: object): string =>
    `${services.config.rest.prefix}${path}${qs.stringify(query, { addQueryPrefix: true })}`;

  return {
    async get(path, query) {
      const response = await app.request(address(path, query));
      if (response.status === 404) return undefined;
      const answer: unknown = await response.json();
      if (!response.ok) throw new SetupError(`GET ${path}: ${reason(response.status, answer)}`);
      return answer;
    },
    async send(method, path, query, body) {
      const response = await app.request(address(path, query), {
        method,
        ...(body instanceof FormData
          ? { body }
          : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      });
      const answer: unknown = await response.json();
      if (!response.ok) throw new SetupError(`${method} ${path}: ${reason(response.status, answer)}`);
      return answer;
    },
  };
};
