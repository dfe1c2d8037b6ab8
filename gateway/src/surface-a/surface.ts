import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { answerErrors } from "../plugins/answer-errors.ts";
import { authenticate } from "../plugins/authenticate.ts";
import type { Surface } from "../surface.ts";
import { assets } from "./assets.ts";
import { locations } from "./locations.ts";
import { me } from "./me.ts";
import { readerEvents } from "./reader-events.ts";
import { tags } from "./tags.ts";
import { webhooks } from "./webhooks.ts";

/** Surface A: programs with API keys; every answer in an envelope. */
export const surfaceA: FastifyPluginAsyncTypebox<Surface> = async (app, surface) => {
  await app.register(answerErrors, {
    contentType: "application/json; charset=utf-8",
    present: ({ code, message, violations }, _status, request_id) => ({
      success: false,
      message,
      code,
      errors: violations,
      request_id,
    }),
  });
  await app.register(authenticate, { kind: "api_key", ...surface });
  for (const resource of [me, assets, tags, locations, readerEvents, webhooks]) {
    await app.register(resource, surface);
  }
};
