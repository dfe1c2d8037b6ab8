import type { FastifyPluginAsync } from "fastify";
import { envelopeError } from "../http/error-body.ts";
import { openapi } from "../openapi/document.ts";
import { documentOfA } from "../openapi/surfaces.ts";
import { authenticate } from "../plugins/authenticate.ts";
import { errorHandler } from "../plugins/error-handler.ts";
import { loadShedding } from "../plugins/load-shedding.ts";
import { unknownAddresses } from "../plugins/unknown-addresses.ts";
import type { Surface } from "../surface.ts";
import { assets } from "./assets.ts";
import { checkouts } from "./checkouts.ts";
import { events } from "./events.ts";
import { locations } from "./locations.ts";
import { me } from "./me.ts";
import { readerEvents } from "./reader-events.ts";
import { tags } from "./tags.ts";
import { webhooks } from "./webhooks.ts";

/** Surface A, for programs: API keys, and an envelope around every response. */
export const surfaceA =
  (surface: Surface): FastifyPluginAsync =>
  async (app) => {
    await app.register(errorHandler, { body: envelopeError });
    await app.register(loadShedding, { body: envelopeError, ...surface });
    await app.register(unknownAddresses);
    await app.register(authenticate, { kind: "api_key", ...surface });
    await app.register(openapi, { surface: documentOfA });
    for (const resource of [me, assets, checkouts, tags, locations, readerEvents, webhooks, events]) {
      await app.register(resource, surface);
    }
  };
