import type { FastifyPluginAsync } from "fastify";
import { envelopeError } from "../http/error-body.ts";
import { openapi } from "../openapi/document.ts";
import { documentOfA } from "../openapi/surfaces.ts";
import { answerErrors } from "../plugins/answer-errors.ts";
import { authenticate } from "../plugins/authenticate.ts";
import { shed } from "../plugins/shed.ts";
import type { Surface } from "../surface.ts";
import { assets } from "./assets.ts";
import { checkouts } from "./checkouts.ts";
import { locations } from "./locations.ts";
import { me } from "./me.ts";
import { readerEvents } from "./reader-events.ts";
import { tags } from "./tags.ts";
import { webhooks } from "./webhooks.ts";

/** Surface A: programs with API keys; every answer in an envelope. */
export const surfaceA =
  (surface: Surface): FastifyPluginAsync =>
  async (app) => {
    await app.register(answerErrors, { body: envelopeError });
    await app.register(shed, { body: envelopeError, ...surface });
    await app.register(authenticate, { kind: "api_key", ...surface });
    await app.register(openapi, { surface: documentOfA });
    for (const resource of [me, assets, checkouts, tags, locations, readerEvents, webhooks]) {
      await app.register(resource, surface);
    }
  };
