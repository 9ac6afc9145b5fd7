/** Signed requests to a bucket. */
import type { AwsClient } from "aws4fetch";
import type { Config } from "../config/config.ts";

export type S3Settings = NonNullable<Config["media"]["s3"]>;

/** Sends a request to the bucket. `path` is a key and a query. */
export type S3Request = (path: string, init: RequestInit) => Promise<Response>;

/** Throws an error with the service's message if the status is not in `expected`. */
export const expectStatus = async (response: Response, action: string, ...expected: number[]): Promise<Response> => {
  if (expected.includes(response.status)) return response;
  const said = (await response.text()).slice(0, 500);
  throw new Error(`S3 refused to ${action}: ${response.status} ${said}`);
};

const tooSlow = (): Error => new Error("S3 takes too long to answer");

const addressOf = ({ endpoint, region, bucket, pathStyle = endpoint !== undefined }: S3Settings): string => {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  const base = url.href.replace(/\/$/, "");
  return pathStyle ? `${base}/${bucket}` : base;
};

const createClient = async (settings: S3Settings): Promise<AwsClient> => {
  const { AwsClient } = await import("aws4fetch");
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", AWS_SESSION_TOKEN } = process.env;
  const own = settings.accessKeyId !== undefined;
  return new AwsClient({
    accessKeyId: settings.accessKeyId ?? AWS_ACCESS_KEY_ID,
    secretAccessKey: settings.secretAccessKey ?? AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && !own ? { sessionToken: AWS_SESSION_TOKEN } : {}),
    region: settings.region,
    service: "s3",
    retries: 3,
  });
};

/** The answer, whose body fails when the service pauses for too long while somebody waits for more of it. */
const guarded = (response: Response, milliseconds: number, give: AbortController): Response => {
  const { body, status, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const timer = setTimeout(() => give.abort(tooSlow()), milliseconds);
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(stream, { status, headers });
};

/** Creates the function for requests to the configured bucket. Temporary failures are retried. */
export const createRequest = (settings: S3Settings): S3Request => {
  const address = addressOf(settings);
  let creating: Promise<AwsClient> | undefined;
  return async (path, init) => {
    const client = await (creating ??= createClient(settings));
    const give = new AbortController();
    const seconds = init.body ? settings.requestSeconds : settings.idleSeconds;
    const timer = setTimeout(() => give.abort(tooSlow()), seconds * 1000);
    try {
      const response = await client.fetch(`${address}/${path}`, { ...init, signal: give.signal });
      return guarded(response, settings.idleSeconds * 1000, give);
    } finally {
      clearTimeout(timer);
    }
  };
};
