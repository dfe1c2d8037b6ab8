import type { PageInfo } from "@asset-register/proto/assetregister/common/v1/page_pb";
import { type CallOptions, holds } from "@asset-register/rpc";
import { toAppError } from "@asset-register/runtime";
import type { FastifyPluginAsync } from "fastify";
import { callerOf, forward } from "../http/context.ts";
import { declared } from "../http/routes.ts";
import { type HomePart, homeParts, homeSchema } from "../resources/home.ts";
import type { Surface } from "../surface.ts";

/** A page of an app waits so long for a service. */
const PART_MS = 1_000;
const FIRST = { page: 1, limit: 1 };

const [ofEverybody, others] = [
  homeParts.filter(({ capability }) => capability === "view"),
  homeParts.filter(({ capability }) => capability !== "view"),
];

export const home: FastifyPluginAsync<Surface> = async (app, { clients }) => {
  app.get(
    "/home",
    {
      config: {
        ...declared({ capability: "view" }, ...ofEverybody.map(({ rpc }) => rpc)),
        withMore: others.map(({ capability, rpc }) => ({ capability, rpc })),
      },
      schema: {
        summary: "Count the things that wait for the user",
        description:
          "Each part is the total of a list, at most 5 s old, and the address of the list. A part whose service does not answer within a second is null. `readers_silent` is only there with the capability `devices`.",
        response: { 200: homeSchema },
      },
    },
    async (request, reply) => {
      const { principal } = callerOf(request);
      const options = forward(request, reply);
      const shown = homeParts.filter(
        ({ capability }) => principal.kind === "user" && holds(principal, capability),
      );
      const counted = shown.map(async (part) => [part.name, await countOrNull(part)] as const);
      return Object.fromEntries(await Promise.all(counted));

      async function countOrNull(part: HomePart) {
        try {
          return await count(part, options);
        } catch (error) {
          const { kind } = toAppError(error);
          if (kind !== "unavailable" && kind !== "exhausted") throw error;
          request.log.info({ err: error, part: part.name }, "a part of /home is missing");
          return null;
        }
      }
    },
  );

  async function count({ rpc, request, path }: HomePart, options: CallOptions) {
    // A cancelled call is no fault of the service: 1 s must not open the breaker of routes that wait longer.
    const signal = AbortSignal.timeout(PART_MS);
    const answer: object = await clients.call(rpc, { ...request, page: FIRST }, { ...options, signal });
    const { total, totalIsExact = true } = (answer as { page?: PageInfo }).page ?? { total: 0 };
    return { count: total, count_is_exact: totalIsExact, href: `${app.prefix}${path}` };
  }
};
