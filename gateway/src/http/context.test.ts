import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { forward } from "./context.ts";

test("an Idempotency-Key is another key on another path of the same route; the query is no part of it", () => {
  const keyOf = (url: string) => {
    const headers = { "idempotency-key": "k1" };
    const routeOptions = { url: "/asset_manager_api/assets/:id/checkout", config: {} };
    const request = { method: "POST", url, headers, routeOptions } as unknown as FastifyRequest;
    return forward(request, {} as FastifyReply).idempotencyKey;
  };
  const [one, other, again] = ["ast_1/checkout", "ast_2/checkout", "ast_1/checkout?x=1"].map((path) =>
    keyOf(`/asset_manager_api/assets/${path}`),
  );
  expect(one).toBe("/asset_manager_api/assets/ast_1/checkout k1");
  expect(other).not.toBe(one);
  expect(again).toBe(one);
});
