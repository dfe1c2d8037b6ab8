import { expect } from "vitest";
import { unique } from "./records.ts";
import { authorisedRequest, takesIdempotencyKey, withHeaders } from "./requests.ts";
import { routeOverrides } from "./route-overrides.ts";
import type { Route } from "./routes.ts";
import { type Row, when } from "./rows.ts";

/** One key for all routes: keys of different routes are independent. */
const KEY = unique();

/** Tests of Idempotency-Key: a repeated request is not executed again. */
export function keyRows(route: Route): Row[] {
  if (!takesIdempotencyKey(route)) return [];
  const { endsSession = false, ignoresIdempotencyKey = false } = routeOverrides[route.name] ?? {};
  return [
    {
      name: "an invalid Idempotency-Key gets 400",
      async run(fixture) {
        const request = await authorisedRequest(fixture, route, { useSharedRecords: true });
        const key = { "idempotency-key": "two words" };
        const response = await fixture.send(route, withHeaders(request, key));
        expect(response).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
      },
    },
    ...when(!endsSession && !ignoresIdempotencyKey, {
      name: "a request repeated with its Idempotency-Key gets the first response again",
      async run(fixture) {
        const key = { "idempotency-key": KEY };
        const request = withHeaders(await authorisedRequest(fixture, route), key);
        const first = await fixture.send(route, request);
        const second = await fixture.send(route, request);
        expect(second).toMatchObject({ status: first.status, text: first.text });
        expect(second.headers["idempotency-replayed"]).toBe("true");
      },
    }),
  ];
}
