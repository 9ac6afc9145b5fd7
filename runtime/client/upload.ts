/** Sends forms with progress reports, which `fetch` does not have. */
import type { Send } from "./options.ts";

/** How much of an upload has been sent, in bytes. */
export interface Progress {
  readonly loaded: number;
  readonly total: number;
}

/** Called during an upload. */
export type OnProgress = (progress: Progress) => void;

/** The part of `XMLHttpRequest` that we use. */
interface BrowserRequest {
  readonly upload: { addEventListener(type: "progress", listener: (event: Progress) => void): void };
  readonly status: number;
  readonly statusText: string;
  readonly responseText: string;
  withCredentials: boolean;
  addEventListener(type: "load" | "error" | "loadend", listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: FormData): void;
  abort(): void;
}

/** Absent outside of browser pages. */
declare const XMLHttpRequest: (new () => BrowserRequest) | undefined;

const headersOf = (lines: string): Headers => {
  const headers = new Headers();
  for (const [, name = "", value = ""] of lines.matchAll(/^([^:\r\n]+): *(.*?)\r?$/gm)) headers.append(name, value);
  return headers;
};

const throughPage =
  (Request: new () => BrowserRequest, form: FormData, onProgress: OnProgress): Send =>
  (url, { method = "POST", headers, signal, credentials }) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new Request();
      request.open(method, url);
      request.withCredentials = credentials === "include";
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.addEventListener("progress", ({ loaded, total }) => onProgress({ loaded, total }));
      request.addEventListener("load", () => {
        const { status, statusText, responseText } = request;
        resolve(
          new Response(responseText || null, {
            status,
            statusText,
            headers: headersOf(request.getAllResponseHeaders()),
          }),
        );
      });
      request.addEventListener("error", () => reject(new TypeError("the request failed")));
      const giveUp = (): void => {
        request.abort();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", giveUp);
      // A signal may outlive many uploads.
      request.addEventListener("loadend", () => signal?.removeEventListener("abort", giveUp));
      request.send(form);
    });

const quoted = (name: string): string =>
  `"${name.replaceAll(/["\r\n]/g, (character) => encodeURIComponent(character))}"`;

/** Encodes a form, so that its size is known before sending. */
const encoded = (form: FormData): Blob => {
  const boundary = `form-${crypto.randomUUID()}`;
  const parts: (string | Blob)[] = [];
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}`;
    if (typeof value === "string") parts.push(`${head}\r\n\r\n${value}\r\n`);
    else {
      const type = value.type || "application/octet-stream";
      parts.push(`${head}; filename=${quoted(value.name)}\r\nContent-Type: ${type}\r\n\r\n`, value, "\r\n");
    }
  }
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
};

const asStream =
  (form: FormData, send: Send, onProgress: OnProgress): Send =>
  (url, init) => {
    const whole = encoded(form);
    const total = whole.size;
    let loaded = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.length;
        controller.enqueue(chunk);
        onProgress({ loaded, total });
      },
    });
    const headers = new Headers(init.headers);
    headers.set("content-type", whole.type);
    // Streams require `duplex`, which not every type declaration of `fetch` has.
    const streamed = { ...init, headers, body: whole.stream().pipeThrough(count), duplex: "half" } as const;
    return send(url, streamed);
  };

/** Sends a form with progress reports: by `XMLHttpRequest` in pages, elsewhere as a stream whose bytes it counts. */
export const watched = (form: FormData, send: Send, onProgress: OnProgress): Send =>
  typeof XMLHttpRequest === "undefined"
    ? asStream(form, send, onProgress)
    : throughPage(XMLHttpRequest, form, onProgress);
