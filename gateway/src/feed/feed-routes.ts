import { FeedService } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyInstance } from "fastify";
import Type, { type TSchema } from "typebox";
import { readRoutes } from "../http/read-routes.ts";
import { declared, type RouteAccess } from "../http/routes.ts";
import { idFilter } from "../http/schemas.ts";
import { feedEntry, streamExample } from "../resources/feed-entry.ts";
import type { Surface } from "../surface.ts";
import type { FeedQuery } from "./feed.ts";
import type { FeedPage } from "./feed-follower.ts";
import { textOf } from "./feed-item.ts";

/** How the surfaces differ: the right that the routes need, and the form of a page. */
export type FeedSurface = {
  name: "a" | "b";
  access: RouteAccess;
  pageSchema: TSchema;
  /** The text of a page, from those of its list and of its position, without braces. */
  pageText(data: string, position: string): string;
};

const MAX_LIMIT = 1_000;
const MAX_WAIT_S = 25;
const EXAMPLE_TYPES = "asset.*,checkout.created";

const filters = {
  types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "Types and groups of types, separated by commas, at most 20",
      examples: [EXAMPLE_TYPES],
    }),
  ),
  asset_id: idFilter("ast", "Only events about this asset"),
};

const after = (fallback: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.cursor,
      description: `A cursor: only what comes after it. \`latest\`: only what is new from now on. ${fallback}`,
      examples: ["latest"],
    }),
  );

const pageQuery = {
  after: after("The default is before the oldest event that is kept."),
  ...filters,
  limit: Type.Integer({
    minimum: 1,
    default: 100,
    description: `Events per page. A value above ${MAX_LIMIT} means ${MAX_LIMIT}. A page ends early at 1 MiB.`,
  }),
  wait: Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_S,
    default: 0,
    description: "Seconds to wait for an event if there is none. It counts as a stream.",
  }),
};

const ABOUT_PAGES =
  "What has happened in the workspace in the last 31 days, in one order, the oldest first. Read on with `next_after`. A cursor is not bound to a filter.";

const ABOUT_STREAMS =
  "Server-sent events: `id` is the cursor, `event` the type, `data` the event as JSON. The header `Last-Event-ID` wins over `after`. A comment with the newest cursor comes every 15 s. The last event of a stream is `end`, with the reason as JSON: `credential` (expired, revoked or changed), `age` (30 minutes) or `drain` (the server stops). A client goes on with its last cursor.";

/** Registers the routes of the event feed on a surface. */
export function feedRoutes(app: FastifyInstance, { clients, feed }: Surface, surface: FeedSurface): void {
  const { name, access, pageSchema, pageText } = surface;
  const { listEntries, getEntry } = FeedService.method;

  app.get<{ Querystring: FeedQuery & { limit: number; wait: number } }>(
    "/events",
    {
      config: declared(access, listEntries),
      schema: {
        summary: "List events",
        description: ABOUT_PAGES,
        querystring: Type.Object(pageQuery),
        response: { 200: pageSchema },
      },
    },
    async (request, reply) => {
      const { limit } = request.query;
      const page = await feed.page(request, reply, { ...request.query, limit: Math.min(limit, MAX_LIMIT) });
      return reply.type("application/json; charset=utf-8").send(textOfPage(page, pageText));
    },
  );

  readRoutes(app, clients, name).get("/events/:id", {
    summary: "Retrieve one event",
    access,
    rpc: getEntry,
    record: feedEntry,
  });

  app.get<{ Querystring: FeedQuery }>(
    "/events/stream",
    {
      config: declared(access, listEntries),
      schema: {
        summary: "Stream events",
        description: ABOUT_STREAMS,
        querystring: Type.Object({ after: after("The default is `latest`."), ...filters }),
        headers: Type.Object({
          "last-event-id": Type.Optional(
            Type.String({
              maxLength: limits.cursor,
              description: "The `id` of the last event of a stream before",
            }),
          ),
        }),
        response: {
          200: {
            content: { "text/event-stream": { schema: { type: "string", examples: [streamExample] } } },
          },
        },
      },
    },
    (request, reply) => feed.stream(request, reply, request.query),
  );
}

function textOfPage({ items, place, hasMore }: FeedPage, pageText: FeedSurface["pageText"]): string {
  const position = `"next_after":${JSON.stringify(place.cursor)},"has_more":${hasMore}`;
  return pageText(`[${items.map(textOf).join(",")}]`, position);
}
