import { randomBytes } from "node:crypto";
import { checkedText } from "@asset-register/runtime";
import { expect } from "vitest";
import type { Caller } from "./callers.ts";
import { anyRequest, bearer, validRequest, withHeaders } from "./requests.ts";
import type { Route } from "./routes.ts";
import { type Row, when } from "./rows.ts";
import { teachings } from "./teachings.ts";
import type { World } from "./world.ts";

const NOBODY: Caller = { credential: "" };

/** Of the right form, and nobody's. */
const UNKNOWN = {
  a: checkedText("ask_live_", randomBytes(32)),
  b: `at_${randomBytes(32).toString("base64url")}`,
};

/** Who may call a route, and who may not. */
export function accessRows(route: Route): Row[] {
  const { access, surface } = route;
  if ("reader" in access) return readerRows(route);
  if ("public" in access) return [grantedRow("no credential: granted", route, async () => NOBODY)];
  const { ownSession = false } = teachings[route.name] ?? {};
  const unknown = UNKNOWN[surface === "a" ? "a" : "b"];
  const malformed = ["Bearer", "Bearer nonsense", "Basic YTpi", `Bearer ${unknown}x`];
  return [
    unauthenticatedRow("no credential: 401", route, {}),
    ...malformed.map((authorization) =>
      unauthenticatedRow(`"${authorization.slice(0, 16)}": 401`, route, { authorization }),
    ),
    unauthenticatedRow("an unknown credential: 401", route, bearer(unknown)),
    refusedRow("a valid credential of the other surface: 401", route, {
      code: "UNAUTHENTICATED",
      callerOf: ({ callers }) => callers.strongest({ surface: surface === "a" ? "b" : "a" }),
    }),
    ...when(
      !("signedIn" in access),
      refusedRow("every right but the one that is needed: 403", route, {
        code: "FORBIDDEN",
        callerOf: ({ callers }) => callers.others(route),
      }),
    ),
    ...when(
      surface === "a",
      refusedRow("a key whose plan has no API access: 403", route, {
        code: "PLAN_REQUIRED",
        callerOf: async ({ starter }) => starter,
      }),
    ),
    grantedRow("the right that is needed and no other: granted", route, ({ callers }) =>
      callers.exact(route, ownSession),
    ),
    ...when(
      !ownSession,
      grantedRow("every right: granted", route, ({ callers }) => callers.strongest(route)),
    ),
  ];
}

function unauthenticatedRow(name: string, route: Route, headers: Record<string, string>): Row {
  return {
    name,
    async run({ ask }) {
      const answer = await ask(route, withHeaders(anyRequest(route), headers));
      expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    },
  };
}

type CallerOf = (world: World) => Promise<Caller>;

function refusedRow(
  name: string,
  route: Route,
  { code, callerOf }: { code: string; callerOf: CallerOf },
): Row {
  const status = code === "UNAUTHENTICATED" ? 401 : 403;
  return {
    name,
    async run(world) {
      const { credential } = await callerOf(world);
      const answer = await world.ask(route, withHeaders(anyRequest(route), bearer(credential)));
      expect(answer).toMatchObject({ status, body: { code } });
    },
  };
}

/** Answered with a success that the route documents: a route of which no valid request is known fails here. */
function grantedRow(name: string, route: Route, callerOf: CallerOf): Row {
  return {
    name,
    async run(world) {
      const caller = await callerOf(world);
      const sent = await validRequest(route, { maker: world.ours, caller, callers: world.callers });
      const { status, text } = await world.ask(route, sent);
      const told = `${JSON.stringify(sent)} answered ${text}`;
      expect(status, told).toBeLessThan(300);
      // Pages of the documentation have no schema.
      if (route.surface !== "none") expect(route.statuses, told).toContain(String(status));
    },
  };
}

/** A reader's credential is its signature. */
function readerRows(route: Route): Row[] {
  const refused = { status: 401, body: { code: "READER_SIGNATURE_INVALID" } };
  const changed = (name: string, change: Record<string, string>): Row => ({
    name: `${name}: 401`,
    async run({ ask, ours, callers }) {
      const sent = await validRequest(route, { maker: ours, caller: NOBODY, callers });
      expect(await ask(route, withHeaders(sent, change))).toMatchObject(refused);
    },
  });
  return [
    {
      name: "no signature, whoever else asks: 401",
      async run({ ask, callers }) {
        const sent = anyRequest(route);
        expect(await ask(route, sent)).toMatchObject(refused);
        for (const surface of ["a", "b"] as const) {
          const { credential } = await callers.strongest({ surface });
          expect(await ask(route, withHeaders(sent, bearer(credential)))).toMatchObject(refused);
        }
      },
    },
    changed("a wrong signature", { "x-reader-signature": `v1=${"0".repeat(64)}` }),
    changed("another reader's signature", { "x-reader-id": "rdr_none" }),
    changed("another nonce than was signed", { "x-reader-nonce": "other" }),
    grantedRow("signed: granted", route, async () => NOBODY),
  ];
}
