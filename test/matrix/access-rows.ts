import { randomBytes } from "node:crypto";
import { checkedText } from "@asset-register/runtime";
import { expect } from "vitest";
import type { Caller } from "./callers.ts";
import type { Fixture } from "./fixture.ts";
import { bearer, requestForUnknownRecords, validRequest, withHeaders } from "./requests.ts";
import { routeOverrides } from "./route-overrides.ts";
import type { Route } from "./routes.ts";
import { type Row, when } from "./rows.ts";

const ANONYMOUS: Caller = { credential: "" };

/** Well-formed credentials that do not exist. */
const UNKNOWN_CREDENTIAL = {
  a: checkedText("ask_live_", randomBytes(32)),
  b: `at_${randomBytes(32).toString("base64url")}`,
};

/** Tests of who may call a route and who may not. */
export function accessRows(route: Route): Row[] {
  const { access, surface } = route;
  if ("reader" in access) return readerRows(route);
  if ("public" in access) {
    return [grantedRow("a request without a credential is granted", route, async () => ANONYMOUS)];
  }
  const { endsSession = false } = routeOverrides[route.name] ?? {};
  const unknown = UNKNOWN_CREDENTIAL[surface === "a" ? "a" : "b"];
  const malformed = ["Bearer", "Bearer nonsense", "Basic YTpi"];
  return [
    unauthenticatedRow("a request without a credential gets 401", route, {}),
    ...malformed.map((authorization) =>
      unauthenticatedRow(`the credential "${authorization}" gets 401`, route, { authorization }),
    ),
    unauthenticatedRow("a credential with an extra character gets 401", route, bearer(`${unknown}x`)),
    unauthenticatedRow("an unknown credential gets 401", route, bearer(unknown)),
    refusedRow("a valid credential of the other surface gets 401", route, {
      code: "UNAUTHENTICATED",
      callerOf: ({ callers }) => callers.withAllRights({ surface: surface === "a" ? "b" : "a" }),
    }),
    ...when(
      !("signedIn" in access),
      refusedRow("a caller with every right except the required one gets 403", route, {
        code: "FORBIDDEN",
        callerOf: ({ callers }) => callers.withoutRequiredRight(route),
      }),
    ),
    ...when(
      surface === "a" || "needsApiAccess" in access,
      refusedRow("a caller with every right of a plan without API access gets 403", route, {
        code: "PLAN_REQUIRED",
        callerOf: ({ starter }) => starter[surface === "a" ? "a" : "b"](),
      }),
    ),
    grantedRow("a caller with only the required right is granted", route, ({ callers }) =>
      callers.withRequiredRight(route, endsSession),
    ),
    ...when(
      !endsSession,
      grantedRow("a caller with every right is granted", route, ({ callers }) =>
        callers.withAllRights(route),
      ),
    ),
  ];
}

function unauthenticatedRow(name: string, route: Route, headers: Record<string, string>): Row {
  return {
    name,
    async run({ send }) {
      const response = await send(route, withHeaders(requestForUnknownRecords(route), headers));
      expect(response).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
      expect(response.headers["www-authenticate"]).toBe("Bearer");
    },
  };
}

type CallerOf = (fixture: Fixture) => Promise<Caller>;

function refusedRow(
  name: string,
  route: Route,
  { code, callerOf }: { code: string; callerOf: CallerOf },
): Row {
  const status = code === "UNAUTHENTICATED" ? 401 : 403;
  return {
    name,
    async run(fixture) {
      const { credential } = await callerOf(fixture);
      const request = withHeaders(requestForUnknownRecords(route), bearer(credential));
      expect(await fixture.send(route, request)).toMatchObject({ status, body: { code } });
    },
  };
}

/**
 * The route responds with a success status that it documents. This row fails for a route for which no valid request
 * can be made.
 */
function grantedRow(name: string, route: Route, callerOf: CallerOf): Row {
  return {
    name,
    async run(fixture) {
      const caller = await callerOf(fixture);
      const context = { factory: fixture.ours, caller, callers: fixture.callers };
      const request = await validRequest(route, context);
      const { status, text } = await fixture.send(route, request);
      const description = `${JSON.stringify(request)} returned ${text}`;
      expect(status, description).toBeLessThan(300);
      // Pages of the documentation have no schema.
      if (route.surface !== "none") expect(route.statuses, description).toContain(String(status));
    },
  };
}

/** The credential of a reader is its signature. */
function readerRows(route: Route): Row[] {
  const refused = { status: 401, body: { code: "READER_SIGNATURE_INVALID" } };
  const changedRow = (name: string, headers: Record<string, string>): Row => ({
    name: `${name} gets 401`,
    async run({ send, ours, callers }) {
      const request = await validRequest(route, { factory: ours, caller: ANONYMOUS, callers });
      expect(await send(route, withHeaders(request, headers))).toMatchObject(refused);
    },
  });
  return [
    {
      name: "a request without a signature gets 401, with any other credential too",
      async run({ send, callers }) {
        const request = requestForUnknownRecords(route);
        expect(await send(route, request)).toMatchObject(refused);
        for (const surface of ["a", "b"] as const) {
          const { credential } = await callers.withAllRights({ surface });
          expect(await send(route, withHeaders(request, bearer(credential)))).toMatchObject(refused);
        }
      },
    },
    changedRow("a wrong signature", { "x-reader-signature": `v1=${"0".repeat(64)}` }),
    changedRow("the signature of another reader", { "x-reader-id": "rdr_none" }),
    changedRow("a nonce that was not signed", { "x-reader-nonce": "other" }),
    grantedRow("a signed request is granted", route, async () => ANONYMOUS),
  ];
}
