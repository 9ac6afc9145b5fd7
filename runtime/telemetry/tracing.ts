/**
 * Traces through the OpenTelemetry API. A project with an SDK registers it before the server starts; without one, none
 * of this code runs. Errors thrown by the SDK or its plugins fail no request.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Span, TextMapGetter } from "@opentelemetry/api";
import type * as OpenTelemetry from "@opentelemetry/api";
import type { Observe } from "./observe.ts";
import { recordOf } from "./request-record.ts";
import type { EndedStatement, ObserveStatement } from "./statements.ts";

type Api = typeof OpenTelemetry;

/** Bundled by `cms build`, the package exports only `default`; otherwise it has a `default` with part of the rest. */
const isWhole = (loaded: object): loaded is Api => "ProxyTracerProvider" in loaded;

/** The name of the tracer. */
const NAME = "galley-cms";

/** Whether a project has registered an SDK. */
const isRegistered = ({ trace, ProxyTracerProvider }: Api): boolean => {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(NAME) !== undefined;
};

const headersGetter: TextMapGetter<IncomingHttpHeaders> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name],
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Creates the spans of a server. */
export class Tracing {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** One span for a request, which continues the client's trace (`traceparent`). */
  readonly request: Observe = (incoming, outgoing, pass) => {
    const inside = this.#safely(() => this.#beginRequest(incoming, outgoing));
    if (inside) this.#api.context.with(inside, pass);
    else pass();
  };

  /** One span for a statement, without its values. */
  readonly statement: ObserveStatement = (statement) => void this.#safely(() => this.#recordStatement(statement));

  #recordStatement({ sql, milliseconds, error }: EndedStatement): void {
    const operation = /^\w+/.exec(sql)?.[0].toUpperCase() ?? "STATEMENT";
    const span = this.#tracer().startSpan(operation, {
      kind: this.#api.SpanKind.CLIENT,
      startTime: performance.now() - milliseconds,
      attributes: { "db.system.name": "postgresql", "db.operation.name": operation, "db.query.text": sql },
    });
    if (error !== undefined) this.#fail(span, error);
    span.end();
  }

  /**
   * The same object, whose methods (or some of them) run in spans named after the object and the method. This includes
   * the methods of nested objects.
   */
  methods<Target extends object>(name: string, target: Target, some?: readonly (string & keyof Target)[]): Target {
    const names: ReadonlySet<unknown> | undefined = some && new Set(some);
    // Not a proxy of the object itself: if that is frozen, its members could not be replaced.
    const same: Target = Object.create(target);
    return new Proxy(same, {
      get: (_, key) => {
        const member: unknown = Reflect.get(target, key);
        if (names?.has(key) === false) return member;
        const inner = `${name} ${String(key)}`;
        if (typeof member === "object" && member !== null) return this.methods(inner, member);
        if (typeof member !== "function") return member;
        return (...values: unknown[]): unknown => this.#within(inner, () => Reflect.apply(member, target, values));
      },
    });
  }

  #beginRequest(incoming: IncomingMessage, outgoing: ServerResponse): OpenTelemetry.Context {
    const { context, propagation, SpanKind, SpanStatusCode, trace } = this.#api;
    const { method = "", url = "", headers } = incoming;
    const parent = propagation.extract(context.active(), headers, headersGetter);
    const attributes = { "http.request.method": method, "url.path": url.split("?", 1)[0] };
    const span = this.#tracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const end = (): void => {
      const { route, operation } = recordOf(incoming) ?? {};
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute("http.route", route);
      if (operation) span.setAttribute("graphql.operation.type", operation.type);
      if (operation?.name !== undefined) span.setAttribute("graphql.operation.name", operation.name);
      if (outgoing.headersSent) span.setAttribute("http.response.status_code", outgoing.statusCode);
      if (outgoing.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
    outgoing.once("close", () => void this.#safely(end));
    return trace.setSpan(parent, span);
  }

  #tracer(): OpenTelemetry.Tracer {
    return this.#api.trace.getTracer(NAME);
  }

  #within(name: string, work: () => unknown): unknown {
    const { context, trace } = this.#api;
    const span = this.#safely(() => this.#tracer().startSpan(name));
    if (!span) return work();
    const end = (): void => void this.#safely(() => span.end());
    const fail = (error: unknown): void => void this.#safely(() => this.#fail(span, error));
    return context.with(trace.setSpan(context.active(), span), () => {
      try {
        const result = work();
        if (result instanceof Promise) result.catch(fail).finally(end);
        else end();
        return result;
      } catch (error) {
        fail(error);
        end();
        throw error;
      }
    });
  }

  /** The result of `work`; undefined if it throws. Such errors go to the SDK's own error handling. */
  #safely<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#api.diag.error("a trace could not be written", error);
      return undefined;
    }
  }

  #fail(span: Span, error: unknown): void {
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: messageOf(error) });
  }
}

/** The creator of spans; undefined if the project has registered no SDK. */
export const findTracing = async (): Promise<Tracing | undefined> => {
  const loaded = await import("@opentelemetry/api").catch(() => undefined);
  const api = loaded && [loaded, loaded.default].find(isWhole);
  return api && isRegistered(api) ? new Tracing(api) : undefined;
};
