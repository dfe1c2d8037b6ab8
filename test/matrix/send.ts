import { randomBytes } from "node:crypto";
import * as undici from "undici";
import { expect } from "vitest";
import type { Route } from "./routes.ts";

export type HttpRequest = { method: string; path: string; headers: Record<string, string>; body?: string };

export type HttpResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined if there is no body or it is not JSON. */
  body: { code?: string; errors?: { field: string }[]; request_id?: string } | undefined;
};

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "x-request-id": expect.stringMatching(/^[\w.-]{1,128}$/),
  "content-security-policy": expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
};

/** Internal details: stack traces, source files, and names of components behind the gateway. */
const INTERNAL = /\bat .+:\d+:\d+|node_modules|\.[tj]s:\d|mongo|bson|grpc|kafka|redis|protobuf|\[object /i;

const ERROR_KEYS = {
  a: ["code", "errors", "message", "request_id", "success"],
  b: ["code", "detail", "errors", "request_id", "status", "title", "type"],
};

/** A random client address. Public routes are limited by address, so that no request counts against another's limit. */
export const randomClientAddress = () => ({ "x-forwarded-for": `10.${[...randomBytes(3)].join(".")}` });

/** Sends a request and checks everything that holds for every response: headers, form of errors, no 5xx. */
export async function send(
  origin: string,
  { surface }: Pick<Route, "surface">,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { method, path, body = null } = request;
  const headers = { ...randomClientAddress(), ...request.headers };
  const received = await undici.request(origin + path, { method: method as "GET", headers, body });
  const text = await textOf(received);
  const response = { status: received.statusCode, headers: received.headers, text, body: parseJson(text) };
  const description = `${method} ${path} returned ${response.status} ${text.slice(0, 500)}`;
  expect(response.headers, description).toMatchObject(SECURITY_HEADERS);
  // An image may be stored, and must be revalidated (http.md).
  const caching = String(response.headers["content-type"]).startsWith("image/")
    ? "private, no-cache"
    : "no-store";
  if (surface !== "none") expect(response.headers["cache-control"], description).toBe(caching);
  expect(response.status, description).toBeLessThan(500);
  if (response.status >= 400) expectError(response, surface === "a" ? "a" : "b", description);
  return response;
}

/** The text of a body; of an event stream, which does not end, what comes first. */
async function textOf({ headers, body }: undici.Dispatcher.ResponseData): Promise<string> {
  if (!String(headers["content-type"]).startsWith("text/event-stream")) return body.text();
  // Leaving the loop closes the stream.
  for await (const chunk of body) return String(chunk);
  return "";
}

function expectError(response: HttpResponse, surface: "a" | "b", description: string): void {
  const { headers, text, body, status } = response;
  const type = surface === "a" ? "application/json" : "application/problem+json";
  expect(headers["content-type"], description).toBe(`${type}; charset=utf-8`);
  expect(Object.keys(body ?? {}).sort(), description).toEqual(ERROR_KEYS[surface]);
  expect(body, description).toMatchObject(
    surface === "a" ? { success: false } : { status, type: `/docs/errors#${body?.code}` },
  );
  expect(body?.request_id, description).toBe(headers["x-request-id"]);
  expect(text, description).not.toMatch(INTERNAL);
}

/** The fields that an error names. */
export const fieldsOf = ({ body }: HttpResponse): string[] => (body?.errors ?? []).map(({ field }) => field);

/** The parts of a response that must be equal if a caller must not be able to distinguish two cases. */
export function comparable({ status, headers, body }: HttpResponse) {
  return { status, names: Object.keys(headers).sort(), body: { ...body, request_id: "" } };
}

function parseJson(text: string): HttpResponse["body"] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
