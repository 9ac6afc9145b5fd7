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

/** Creates the function for requests to the configured bucket. Temporary failures are retried. */
export const createRequest = (settings: S3Settings): S3Request => {
  const address = addressOf(settings);
  let creating: Promise<AwsClient> | undefined;
  return async (path, init) => {
    const client = await (creating ??= createClient(settings));
    return client.fetch(`${address}/${path}`, init);
  };
};
