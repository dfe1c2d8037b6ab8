import { expect } from "vitest";
import type { Sent } from "./answers.ts";
import { isIngest, isWrite, strongestRequest, withHeaders } from "./requests.ts";
import type { Route } from "./routes.ts";
import type { Row } from "./rows.ts";
import { teachings } from "./teachings.ts";

/** Of a revision that no record of these tests reaches. */
const PASSED_OVER = { "if-match": '"999999.AAAAAAAAAAAAAAAA"' };
const NO_TAG = { "if-match": "999999" };

/** A change on condition of what was read is not made of anything else. */
export function conditionRows(route: Route, routes: Route[]): Row[] {
  // What ends its own session can be asked for once.
  if (!isWrite(route) || isIngest(route) || teachings[route.name]?.ownSession) return [];
  const shows = routes.find(({ method, url }) => method === "GET" && url === recordOf(route.url));
  return [
    {
      name: "If-Match of another revision: 412, and the change can still be made",
      async run(world) {
        const sent = await strongestRequest(world, route);
        const shown = async () => shows && (await world.ask(shows, reading(sent, shows))).body;
        const before = await shown();
        const refused = await world.ask(route, withHeaders(sent, PASSED_OVER));
        expect(refused).toMatchObject({ status: 412, body: { code: "PRECONDITION_FAILED" } });
        expect(await shown()).toEqual(before);
        const { status, text } = await world.ask(route, sent);
        expect(status, text).toBeLessThan(300);
      },
    },
    {
      name: "an If-Match that is no list of ETags: 400",
      async run(world) {
        const answer = await world.ask(route, withHeaders(await strongestRequest(world, route), NO_TAG));
        expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
      },
    },
  ];
}

/** "/v1/assets/:id/checkout" changes what "/v1/assets/:id" shows. */
const recordOf = (url: string): string | undefined => /^.*?\/:\w+/.exec(url)?.[0];

/** The request that shows the record which another changes. */
function reading({ path, headers: { authorization = "" } }: Sent, { url }: Route): Sent {
  const parts = path.split("/").slice(0, url.split("/").length);
  return { method: "GET", path: parts.join("/"), headers: { authorization } };
}
