import type { IncomingHttpHeaders } from "node:http";
/**
 * Traces, by the API of OpenTelemetry. A project that has an SDK registers it before the server starts; without one,
 * nothing here runs.
 */
import type { Span, TextMapGetter } from "@opentelemetry/api";
import type * as OpenTelemetry from "@opentelemetry/api";
import type { TraceRequest } from "./observe.ts";
import { recordOf } from "./request-record.ts";
import type { ObserveStatement } from "./statements.ts";

type Api = typeof OpenTelemetry;

/** As `cms build` bundles the package, its only export is `default`; by itself it has one with a part of the rest. */
const isWhole = (loaded: object): loaded is Api => "ProxyTracerProvider" in loaded;

/** The name of what makes the spans. */
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

/** Makes the spans of a server. */
export class Tracing {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** One span for a request, which goes on the trace that the client sends (`traceparent`). */
  readonly request: TraceRequest = (incoming, outgoing, pass) => {
    const { context, propagation, SpanKind, SpanStatusCode, trace } = this.#api;
    const { method = "", url = "", headers } = incoming;
    const parent = propagation.extract(context.active(), headers, headersGetter);
    const attributes = { "http.request.method": method, "url.path": url.split("?", 1)[0] };
    const span = this.#tracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    outgoing.once("close", () => {
      const route = recordOf(incoming)?.route;
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute("http.route", route);
      span.setAttribute("http.response.status_code", outgoing.statusCode);
      if (outgoing.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), pass);
  };

  /** One span for a statement, of which values are not told. */
  readonly statement: ObserveStatement = ({ sql, milliseconds, error }) => {
    const operation = /^\w+/.exec(sql)?.[0].toUpperCase() ?? "STATEMENT";
    const span = this.#tracer().startSpan(operation, {
      kind: this.#api.SpanKind.CLIENT,
      startTime: performance.now() - milliseconds,
      attributes: { "db.system.name": "postgresql", "db.operation.name": operation, "db.query.text": sql },
    });
    if (error !== undefined) this.#fail(span, error);
    span.end();
  };

  /** The same object, whose methods (or some of them) run in spans that are named after it and them. */
  methods<Target extends object>(name: string, target: Target, some?: readonly (string & keyof Target)[]): Target {
    const names: ReadonlySet<unknown> | undefined = some && new Set(some);
    return new Proxy(target, {
      get: (_, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== "function" || names?.has(key) === false) return member;
        return (...values: unknown[]): unknown =>
          this.#within(`${name} ${String(key)}`, () => Reflect.apply(member, target, values));
      },
    });
  }

  #tracer(): OpenTelemetry.Tracer {
    return this.#api.trace.getTracer(NAME);
  }

  #within(name: string, work: () => unknown): unknown {
    return this.#tracer().startActiveSpan(name, (span) => {
      try {
        const result = work();
        if (!(result instanceof Promise)) {
          span.end();
          return result;
        }
        result.catch((error: unknown) => this.#fail(span, error)).finally(() => span.end());
        return result;
      } catch (error) {
        this.#fail(span, error);
        span.end();
        throw error;
      }
    });
  }

  #fail(span: Span, error: unknown): void {
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: messageOf(error) });
  }
}

/** What makes the spans; undefined where the project has registered no SDK. */
export const findTracing = async (): Promise<Tracing | undefined> => {
  const loaded = await import("@opentelemetry/api").catch(() => undefined);
  const api = loaded && [loaded, loaded.default].find(isWhole);
  return api && isRegistered(api) ? new Tracing(api) : undefined;
};
