/** Sends requests to the application in the same process: a seed writes like any client, with the same checks. */
import qs from "qs";
import { z } from "zod";
import { system } from "../../access/caller.ts";
import { HttpError } from "../../base/errors.ts";
import { SetupError } from "../../base/setup-error.ts";
import { onError } from "../../http/frame/failure.ts";
import type { Services } from "../../http/services.ts";
import type { Application } from "../application.ts";
import { createHonoApp } from "../server.ts";

/** Both throw a SetupError if a request is refused, and whatever made a request fail. */
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

/** Sends a request to an application; throws what made it fail, which a server only logs. */
type Send = (address: string, init?: RequestInit) => Promise<Response>;

/** An application that accepts every request as one of the system. */
const trusted = (services: Services, application: Application): Send => {
  const app = createHonoApp({ ...services, auth: { ...services.auth, authenticate: () => system } }, application);
  const failures = new WeakMap<Request, Error>();
  const answerError = onError(services);
  app.onError((error, c) => {
    if (error instanceof HttpError && error.status < 500) return answerError(error, c);
    failures.set(c.req.raw, error);
    return c.body(null, 500);
  });
  return async (address, init) => {
    const request = new Request(new URL(address, "http://localhost"), init);
    const response = await app.fetch(request);
    const failure = failures.get(request);
    if (failure) throw failure;
    return response;
  };
};

export const createSeedClient = (services: Services, application: Application): SeedClient => {
  const request = trusted(services, application);
  const address = (path: string, query: object): string =>
    `${services.config.rest.prefix}${path}${qs.stringify(query, { addQueryPrefix: true })}`;

  return {
    async get(path, query) {
      const response = await request(address(path, query));
      if (response.status === 404) return undefined;
      const answer: unknown = await response.json();
      if (!response.ok) throw new SetupError(`GET ${path}: ${reason(response.status, answer)}`);
      return answer;
    },
    async send(method, path, query, body) {
      const response = await request(address(path, query), {
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
