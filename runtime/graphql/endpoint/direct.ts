/** Answers queries that were asked before directly from Node's requests. Whatever is unusual about a request is for Hono. */
import { getQueryParam } from "hono/utils/url";
import type { DirectAnswer, DirectCall } from "../../http/direct/endpoint.ts";
import { parseJson } from "../../http/frame/body.ts";
import { decoded } from "../../http/frame/read-body.ts";
import type { Services } from "../../http/services.ts";
import { replyOf } from "./answer.ts";
import type { FindText } from "./persisted.ts";
import { type CheckOrigin, type HttpRequest, negotiate, readOperation } from "./protocol.ts";
import type { Runner } from "./runner.ts";

interface Parts {
  readonly runner: Runner;
  readonly checkOrigin: CheckOrigin;
  readonly findText: FindText;
}

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

/** The part of a URL before a path, which does not matter. */
const ORIGIN = "http://localhost";

/** The parameters in a target, as Hono reads them. */
const parametersOf = (target: string): Readonly<Record<string, string>> => {
  const all = getQueryParam(`${ORIGIN}${target}`);
  return typeof all === "object" ? all : {};
};

export const createDirectAnswer = (services: Services, { runner, checkOrigin, findText }: Parts): DirectAnswer => {
  const { limits, server } = services.config;

  const requestOf = ({ method, target, header, body }: DirectCall): HttpRequest | undefined => {
    if (method === "GET") return { method, header, query: parametersOf(target), body: undefined };
    if (!JSON_TYPE.test(header("content-type") ?? "") || body.length > server.bodyLimit) return undefined;
    return { method, header, query: {}, body: parseJson(decoded(body), limits.bodyMembers) };
  };

  const answer: DirectAnswer = (call) => {
    const request = requestOf(call);
    if (!request) return undefined;
    checkOrigin(request);
    const { caller, client } = call;
    const answering = runner.repeat(readOperation(request, findText), { services, caller, client });
    if (!answering) return undefined;
    const type = negotiate(call.header("accept"));
    return answering().then((given) => replyOf(given, type));
  };

  return (call) => {
    try {
      return answer(call);
    } catch {
      // Hono answers with what is wrong.
      return undefined;
    }
  };
};
