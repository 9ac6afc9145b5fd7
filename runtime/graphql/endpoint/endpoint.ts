/** The GraphQL endpoint: one operation in, one answer out. */
import type { GraphQLSchema } from "graphql";
import type { Context, Handler } from "hono";
import type { Caller } from "../../access/caller.ts";
import { ForbiddenError } from "../../base/errors.ts";
import { takesCookies } from "../../config/cookies.ts";
import type { AppEnv } from "../../http/context.ts";
import { sendReply } from "../../http/frame/answer.ts";
import { ReadAnswer } from "../../http/frame/read-answer.ts";
import { storeAnswer } from "../../http/response-cache/store-answer.ts";
import type { Services } from "../../http/services.ts";
import { inWorkspace } from "../../media/media.ts";
import type { GraphqlContext } from "../context.ts";
import { uploadCheck } from "../schema/uploads.ts";
import { type Answer, replyOf } from "./answer.ts";
import { formatHttpError } from "./errors.ts";
import { readMultipartBody } from "./multipart.ts";
import { createFindText } from "./persisted.ts";
import { ProtocolError } from "./protocol-error.ts";
import { demandPreflight, type HttpRequest, JSON_ANSWER, negotiate, readOperation, takeAnyOrigin } from "./protocol.ts";
import { createRunner, type RunnerOptions } from "./runner.ts";

/** Creates the handler of the endpoint, for every method. */
export const createEndpoint = (services: Services, schema: GraphQLSchema, options: RunnerOptions): Handler<AppEnv> => {
  const runner = createRunner(services, schema, options);
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
      services: c.get("services"),
      caller: c.get("caller"),
      http: c.req.raw,
      client: c.get("client"),
      address: services.clientAddress(c),
      answer: { status: 200 },
    };
    const answered = await runner.run(operation, c.req.method, context);
    if (answered.isStorable && typeof answered.body === "string") {
      storeAnswer(c, new ReadAnswer(answered.body, replyOf(answered, type).headers));
    }
    return send(c, answered, type);
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

const send = (c: Context<AppEnv>, answer: Answer, type: string, allow?: string): Response => {
  const reply = replyOf(answer, type);
  return sendReply(c, allow === undefined ? reply : { ...reply, headers: { ...reply.headers, Allow: allow } });
};
