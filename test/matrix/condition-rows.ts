import { expect } from "vitest";
import { authorisedRequest, isIngest, isWrite, withHeaders } from "./requests.ts";
import { routeOverrides } from "./route-overrides.ts";
import type { Route } from "./routes.ts";
import type { Row } from "./rows.ts";
import type { HttpRequest } from "./send.ts";

/** An ETag of a revision that no record of these tests reaches. */
const OTHER_REVISION = { "if-match": '"999999.AAAAAAAAAAAAAAAA"' };
const INVALID_ETAG = { "if-match": "999999" };

/** Tests of If-Match: a change is made only to the revision that the caller has read. */
export function conditionRows(route: Route, routes: Route[]): Row[] {
  // A request that ends its own session can be sent only once.
  if (!isWrite(route) || isIngest(route) || routeOverrides[route.name]?.endsSession) return [];
  const readRoute = routes.find(({ method, url }) => method === "GET" && url === recordUrlOf(route.url));
  return [
    {
      name: "If-Match of another revision gets 412 and changes nothing; the change can still be made",
      async run(fixture) {
        const request = await authorisedRequest(fixture, route);
        const readRecord = async () =>
          readRoute && (await fixture.send(readRoute, readRequestOf(request, readRoute))).body;
        const before = await readRecord();
        const refused = await fixture.send(route, withHeaders(request, OTHER_REVISION));
        expect(refused).toMatchObject({ status: 412, body: { code: "PRECONDITION_FAILED" } });
        expect(await readRecord()).toEqual(before);
        const { status, text } = await fixture.send(route, request);
        expect(status, text).toBeLessThan(300);
      },
    },
    {
      name: "an If-Match that is not a list of ETags gets 400",
      async run(fixture) {
        const request = withHeaders(await authorisedRequest(fixture, route), INVALID_ETAG);
        const response = await fixture.send(route, request);
        expect(response).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
      },
    },
  ];
}

/** The URL of the record that a route changes: "/v1/assets/:id" for "/v1/assets/:id/checkout". */
const recordUrlOf = (url: string): string | undefined => /^.*?\/:\w+/.exec(url)?.[0];

/** The GET request for the record that another request changes. */
function readRequestOf({ path, headers: { authorization = "" } }: HttpRequest, { url }: Route): HttpRequest {
  const parts = path.split("/").slice(0, url.split("/").length);
  return { method: "GET", path: parts.join("/"), headers: { authorization } };
}
