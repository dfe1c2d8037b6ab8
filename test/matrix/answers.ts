import { randomBytes } from "node:crypto";
import { request as send } from "undici";
import { expect } from "vitest";
import type { Route } from "./routes.ts";

export type Sent = { method: string; path: string; headers: Record<string, string>; body?: string };

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined where there is none, or none that is JSON. */
  body: { code?: string; errors?: { field: string }[]; request_id?: string } | undefined;
};

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "x-request-id": expect.stringMatching(/^[\w.-]{1,128}$/),
  "content-security-policy": expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
};

/** Places in code, and names of what stands behind the gateway. */
const INTERNAL = /\bat .+:\d+:\d+|node_modules|\.[tj]s:\d|mongo|bson|grpc|kafka|redis|protobuf|\[object /i;

const ERROR_KEYS = {
  a: ["code", "errors", "message", "request_id", "success"],
  b: ["code", "detail", "errors", "request_id", "status", "title", "type"],
};

/** What is public is limited by address: none counts against the limit of another. */
export const fromElsewhere = () => ({ "x-forwarded-for": `10.${[...randomBytes(3)].join(".")}` });

/** Sends, and holds whatever comes back against what every answer promises. */
export async function ask(origin: string, { surface }: Pick<Route, "surface">, sent: Sent): Promise<Answer> {
  const { method, path, body = null } = sent;
  const headers = { ...fromElsewhere(), ...sent.headers };
  const received = await send(origin + path, { method: method as "GET", headers, body });
  const text = await received.body.text();
  const answer = { status: received.statusCode, headers: received.headers, text, body: parsed(text) };
  const told = `${method} ${path} answered ${answer.status} ${text.slice(0, 500)}`;
  expect(answer.headers, told).toMatchObject(SECURITY_HEADERS);
  if (surface !== "none") expect(answer.headers["cache-control"], told).toBe("no-store");
  expect(answer.status, told).toBeLessThan(500);
  if (answer.status >= 400) expectError(answer, surface === "a" ? "a" : "b", told);
  return answer;
}

function expectError({ headers, text, body, status }: Answer, surface: "a" | "b", told: string): void {
  const type = surface === "a" ? "application/json" : "application/problem+json";
  expect(headers["content-type"], told).toBe(`${type}; charset=utf-8`);
  expect(Object.keys(body ?? {}).sort(), told).toEqual(ERROR_KEYS[surface]);
  expect(body, told).toMatchObject(surface === "a" ? { success: false } : { status, type: "about:blank" });
  expect(body?.request_id, told).toBe(headers["x-request-id"]);
  expect(text, told).not.toMatch(INTERNAL);
}

/** The fields that an error names. */
export const fieldsOf = ({ body }: Answer): string[] => (body?.errors ?? []).map(({ field }) => field);

/** An answer as far as two that must not be told apart have it in common. */
export function untold({ status, headers, body }: Answer) {
  return { status, names: Object.keys(headers).sort(), body: { ...body, request_id: "" } };
}

function parsed(text: string): Answer["body"] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
