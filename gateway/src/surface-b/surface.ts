import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { answerErrors } from "../plugins/answer-errors.ts";
import { authenticate } from "../plugins/authenticate.ts";
import type { Surface } from "../surface.ts";
import { alerts } from "./alerts.ts";
import { apiKeys } from "./api-keys.ts";
import { assets } from "./assets.ts";
import { custody } from "./custody.ts";
import { ingestEvents } from "./ingest-events.ts";
import { organisation } from "./organisation.ts";
import { readers } from "./readers.ts";
import { sessions } from "./sessions.ts";
import { tags } from "./tags.ts";

/** Surface B: people's apps with sign-in sessions; plain bodies, RFC 9457 problems. */
export const surfaceB: FastifyPluginAsyncTypebox<Surface> = async (app, surface) => {
  await app.register(answerErrors, {
    contentType: "application/problem+json; charset=utf-8",
    present: ({ code, message, violations }, status, request_id) => ({
      type: "about:blank",
      title: TITLES[status] ?? "Error",
      status,
      detail: message,
      code,
      errors: violations,
      request_id,
    }),
  });
  await app.register(authenticate, { kind: "access_token", ...surface });
  for (const resource of [
    sessions,
    assets,
    custody,
    organisation,
    readers,
    tags,
    alerts,
    apiKeys,
    ingestEvents,
  ]) {
    await app.register(resource, surface);
  }
};

/** A problem of type about:blank is titled by its status (RFC 9457, 4.2.1). */
const TITLES: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
