import { expect } from "vitest";
import { unique } from "./records.ts";
import { strongestRequest, takesIdempotencyKey, withHeaders } from "./requests.ts";
import type { Route } from "./routes.ts";
import { type Row, when } from "./rows.ts";
import { teachings } from "./teachings.ts";

/** One for all routes: a key means something else on each. */
const KEY = unique();

/** What is sent again under its Idempotency-Key is not done again. */
export function keyRows(route: Route): Row[] {
  if (!takesIdempotencyKey(route)) return [];
  const { ownSession = false, unkeyed = false } = teachings[route.name] ?? {};
  return [
    {
      name: "an Idempotency-Key that is none: 400",
      async run(world) {
        const sent = await strongestRequest(world, route, { reused: true });
        const answer = await world.ask(route, withHeaders(sent, { "idempotency-key": "two words" }));
        expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
      },
    },
    ...when(!ownSession && !unkeyed, {
      name: "the same under an Idempotency-Key: the first answer again",
      async run(world) {
        const key = { "idempotency-key": KEY };
        const sent = withHeaders(await strongestRequest(world, route), key);
        const first = await world.ask(route, sent);
        const again = await world.ask(route, sent);
        expect(again).toMatchObject({ status: first.status, text: first.text });
        expect(again.headers["idempotency-replayed"]).toBe("true");
      },
    }),
  ];
}
