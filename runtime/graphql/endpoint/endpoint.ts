/** The GraphQL endpoint: one operation in, one response out. */
import { GraphQLError, type GraphQLSchema } from "graphql";
import type { Context, Handler } from "hono";
import { AbandonedError, ForbiddenError } from "../../base/errors.ts";
import { takesCookies } from "../../config/cookies.ts";
import { HEADERS } from "../../documents/event-stream.ts";
import type { AppEnv, Services } from "../../http/context.ts";
import { sendReply, storeAnswer } from "../../http/frame/answer.ts";
import { ReadAnswer } from "../../http/frame/read-answer.ts";
import { inWorkspace } from "../../media/media.ts";
import { recordOf } from "../../telemetry/request-record.ts";
import { uploadCheck } from "../schema/guards.ts";
import { bodyOf, formatHttpError, refusal, replyOf, type Answer } from "./answer.ts";
import { readMultipartBody } from "./multipart.ts";
import {
  createFindText,
  demandPreflight,
  type FindText,
  JSON_ANSWER,
  negotiate,
  ProtocolError,
  readOperation,
} from "./protocol.ts";
import { Runner, type RunnerOptions } from "./runner.ts";

/** Creates the handler of the endpoint, for every method. */
export const createEndpoint = (services: Services, schema: GraphQLSchema, options: RunnerOptions): Handler<AppEnv> => {
  const { csrfPrevention, persistedOperations } = services.config.graphql;
  const endpoint = {
    services,
    runner: new Runner(services, schema, options),
    isStrict: csrfPrevention === "always" || takesCookies(services.config),
    findText: createFindText(persistedOperations),
  };
  const mayUpload = uploadCheck(schema);
  return async (c) => {
    try {
      return await (mayUpload && isForm(c)
        ? answerWithFiles(endpoint, c, mayUpload(c.get("caller")))
        : answer(endpoint, c, c.get("body")));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const { message, code, status, allow } = error;
      return send(c, refusal([{ message, extensions: { code } }], status), JSON_ANSWER, allow);
    }
  };
};

interface Endpoint {
  readonly services: Services;
  readonly runner: Runner;
  /** Whether to demand requests that a browser does not send for a page of another origin without a preflight. */
  readonly isStrict: boolean;
  readonly findText: FindText;
}

const answer = async (endpoint: Endpoint, c: Context<AppEnv>, body: unknown): Promise<Response> => {
  const { services, runner, isStrict, findText } = endpoint;
  if (isStrict) demandPreflight(c);
  const operation = readOperation(c, body, findText);
  const accept = c.req.header("accept");
  const { stream } = services.config.events ?? {};
  // Nobody would read the stream that answers a HEAD request, or end it.
  const isStreamed = stream !== undefined && takesEvents(accept) && c.req.method !== "HEAD";
  const type = isStreamed ? JSON_ANSWER : negotiate(accept);
  const record = recordOf(c.env?.incoming);
  const answered = await runner.run(
    operation,
    { method: c.req.method, takesEvents: isStreamed },
    {
      services: c.get("services"),
      caller: c.get("caller"),
      http: c.req.raw,
      client: c.get("client"),
      requestId: record?.id,
      address: services.clientAddress(c),
      answer: { status: 200 },
    },
  );
  if ("next" in answered) return eventStreamOf(c, answered, stream?.heartbeatSeconds ?? 15);
  if (record) record.operation = answered.operation;
  if (answered.isStorable) storeAnswer(c, new ReadAnswer(answered.body, replyOf(answered, type).headers));
  return send(c, answered, type);
};

const answerWithFiles = async (endpoint: Endpoint, c: Context<AppEnv>, isAllowed: boolean): Promise<Response> => {
  const { services, isStrict } = endpoint;
  if (isStrict) demandPreflight(c);
  // Do not wait for the files of callers who may not upload.
  if (!isAllowed) {
    const errors = [formatHttpError(new ForbiddenError("Forbidden access"), services.config.graphql.format)];
    return send(c, { status: 200, body: bodyOf({ data: null }, { errors }) }, JSON_ANSWER);
  }
  return inWorkspace(services.media, async (folder) =>
    answer(endpoint, c, await readMultipartBody(services, c.req.raw, folder)),
  );
};

const isForm = (c: Context<AppEnv>): boolean =>
  c.req.method === "POST" && /^multipart\/form-data\b/i.test(c.req.header("content-type") ?? "");

const send = (c: Context<AppEnv>, answer: Answer, type: string, allow?: string): Response => {
  const reply = replyOf(answer, type);
  return sendReply(c, allow === undefined ? reply : { ...reply, headers: { ...reply.headers, Allow: allow } });
};

const encoder = new TextEncoder();

/** Whether a client asks for server-sent events. */
const takesEvents = (accept: string | undefined): boolean => accept?.includes("text/event-stream") === true;

/** Disconnects a subscriber, since an error of the stream would be printed past the log. */
const cutOff = (c: Context<AppEnv>, error: unknown): undefined => {
  if (error instanceof GraphQLError && error.originalError instanceof AbandonedError) return;
  const { incoming } = c.env ?? {};
  if (!incoming) throw error;
  c.get("services").log.info({ err: error }, "a subscription was cut off");
  incoming.socket.destroy();
};

/**
 * Sends the results of a subscription as server-sent events
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md): each text as an event, and a comment every `heartbeat` seconds,
 * until the client disconnects. Clients subscribe again if the answer ends without `complete`.
 */
const eventStreamOf = (c: Context<AppEnv>, texts: AsyncIterator<string>, heartbeat: number): Response => {
  let beats: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(":\n\n"));
      beats = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(":\n\n"));
      }, heartbeat * 1000);
    },
    async pull(controller) {
      const next = await texts.next().catch((error: unknown) => (clearInterval(beats), cutOff(c, error)));
      if (next && !next.done) return controller.enqueue(encoder.encode(`event: next\ndata: ${next.value}\n\n`));
      clearInterval(beats);
      if (next) controller.enqueue(encoder.encode("event: complete\ndata: \n\n"));
      controller.close();
    },
    async cancel() {
      clearInterval(beats);
      await texts.return?.();
    },
  });
  return new Response(body, { status: 200, headers: HEADERS });
};
