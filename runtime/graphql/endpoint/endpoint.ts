/** The GraphQL endpoint: one operation in, one answer out. */
import type { GraphQLSchema } from "graphql";
import type { Context, Handler } from "hono";
import type { Caller } from "../../access/caller.ts";
import { ForbiddenError, RETRY_AFTER } from "../../base/errors.ts";
import { takesCookies } from "../../config/cookies.ts";
import type { AppEnv } from "../../http/context.ts";
import { askerOf } from "../../http/frame/asker.ts";
import type { Services } from "../../http/services.ts";
import { inWorkspace } from "../../media/media.ts";
import type { GraphqlContext } from "../context.ts";
import { uploadCheck } from "../schema/uploads.ts";
import { formatHttpError } from "./errors.ts";
import { readMultipartBody } from "./multipart.ts";
import { createFindText } from "./persisted.ts";
import { ProtocolError } from "./protocol-error.ts";
import { demandPreflight, type HttpRequest, JSON_ANSWER, negotiate, readOperation, takeAnyOrigin } from "./protocol.ts";
import { type Answer, createRunner, type RunnerOptions } from "./runner.ts";

/** The handler of the endpoint, for every method. */
export const createEndpoint = (services: Services, schema: GraphQLSchema, options: RunnerOptions): Handler<AppEnv> => {
  const run = createRunner(services, schema, options);
  const { csrfPrevention, persistedOperations } = services.config.graphql;
  const isStrict = csrfPrevention === "always" || takesCookies(services.config);
  const checkOrigin = isStrict ? demandPreflight : takeAnyOrigin;
  const findText = createFindText(persistedOperations);
  const maySendFiles = uploadCheck(schema);

  const answer = async (c: Context<AppEnv>, body: unknown): Promise<Response> => {
    const request = requestOf(c, body);
    checkOrigin(request);
    const operation = readOperation(request, findText);
    const type = negotiate(c.req.header("accept"));
    const context: Omit<GraphqlContext, "size" | "budget"> = {
      services,
      caller: c.get("caller"),
      http: c.req.raw,
      asker: askerOf(c),
      address: services.clientAddress(c),
      answer: { status: 200 },
    };
    return send(c, await run(operation, c.req.method, context), type);
  };

  const answerWithFiles = async (c: Context<AppEnv>, mayUpload: (caller: Caller) => boolean): Promise<Response> => {
    checkOrigin(requestOf(c, undefined));
    // Whoever may not send files is not listened to until all of them have come.
    if (!mayUpload(c.get("caller"))) {
      const errors = [formatHttpError(new ForbiddenError("Forbidden access"), services.config.graphql.format)];
      return send(c, { status: 200, body: { errors, data: null } }, JSON_ANSWER);
    }
    return inWorkspace(services.media, async (folder) =>
      answer(c, await readMultipartBody(services, c.req.raw, folder)),
    );
  };

  return async (c) => {
    try {
      return await (maySendFiles && isForm(c) ? answerWithFiles(c, maySendFiles) : answer(c, c.get("body")));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const errors = [{ message: error.message, extensions: { code: error.code } }];
      return send(c, { status: error.status, body: { errors } }, JSON_ANSWER, error.allow);
    }
  };
};

const isForm = (c: Context<AppEnv>): boolean =>
  c.req.method === "POST" && /^multipart\/form-data\b/i.test(c.req.header("content-type") ?? "");

const requestOf = (c: Context<AppEnv>, body: unknown): HttpRequest => ({
  method: c.req.method,
  query: c.req.query(),
  header: (name) => c.req.header(name),
  body,
});

const send = (c: Context<AppEnv>, { status, body }: Answer, type: string, allow?: string): Response =>
  c.body(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": type,
      ...(allow === undefined ? {} : { Allow: allow }),
      ...(status === 503 ? { "Retry-After": RETRY_AFTER } : {}),
    },
  });
