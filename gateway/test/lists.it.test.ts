import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { serving } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

/** The pages that the gateway asked for. */
let asked: unknown[] = [];
/** The position that the service answers. */
let position = {};

const gateway = await startGateway({
  implementations: [
    serving(AssetService, {
      listAssets: ({ page, updatedSince }) => {
        const nextUpdatedSince = updatedSince && timestampFromDate(new Date(0));
        const assets = [
          { id: "ast_1", rev: 1, number: "N1", name: "Saw", statusId: "sta_1" },
          { id: "ast_2", rev: 2, number: "N2", name: "Drill", deletedAt: timestampFromDate(new Date(0)) },
        ];
        asked.push(page);
        return { assets, page: { page: 2, limit: 10, total: 100_000, ...position }, nextUpdatedSince };
      },
    }),
    serving(CustodyService, {
      listMovements: ({ page }) => {
        asked.push(page);
        return { movements: [], page: { page: 1, limit: 10, total: 0 } };
      },
    }),
  ],
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  asked = [];
  position = {};
});

const surfaces = {
  a: () => gateway.surfaceA(gateway.accounts.apiKey("assets:read")),
  b: () => gateway.surfaceB(gateway.accounts.session("view")),
};

describe.each(["a", "b"] as const)("lists of surface %s", (surface) => {
  test("the cursor goes to the service, without a page; it names the next page in the answer", async () => {
    position = { nextCursor: "next" };
    const answer = await surfaces[surface]().get<object>("/assets?cursor=abc");
    expect(asked).toMatchObject([{ page: 0, cursor: "abc" }]);
    const shown = { page: 2, total: 100_000, next_cursor: "next" };
    expect(answer).toMatchObject(surface === "a" ? { meta: shown } : shown);
    // The service refuses both together.
    await surfaces[surface]().get("/assets?cursor=abc&page=1");
    expect(asked[1]).toMatchObject({ page: 1, cursor: "abc" });
  });

  test("the last page has no next_cursor, and only a count that stopped is marked", async () => {
    expect(JSON.stringify(await surfaces[surface]().get("/assets"))).not.toMatch(/next_cursor|is_exact/);
    position = { totalIsExact: false };
    const answer = await surfaces[surface]().get<object>("/assets");
    const shown = { total: 100_000, total_is_exact: false };
    expect(answer).toMatchObject(surface === "a" ? { meta: shown } : shown);
  });

  test("a deleted asset is its id and the time of its deletion", async () => {
    const { data } = await surfaces[surface]().get<{ data: object[] }>("/assets?include_deleted=true");
    expect(data[0]).toMatchObject({ id: "ast_1", name: "Saw", rev: 1 });
    expect(data[0]).not.toHaveProperty("deleted_at");
    expect(data[1]).toEqual({ id: "ast_2", deleted_at: "1970-01-01T00:00:00.000Z" });
  });

  test("with updated_since the answer names the updated_since of the next reading", async () => {
    const path = "/assets?updated_since=2026-01-31T09:30:00Z";
    const shown = { next_updated_since: "1970-01-01T00:00:00.000Z" };
    expect(await surfaces[surface]().get(path)).toMatchObject(surface === "a" ? { meta: shown } : shown);
    expect(JSON.stringify(await surfaces[surface]().get("/assets"))).not.toContain("next_updated_since");
    const invalid = { status: 422, body: { errors: [{ field: "updated_since" }] } };
    expect(await surfaces[surface]().call("GET", "/assets?updated_since=yesterday")).toMatchObject(invalid);
  });

  test("a cursor that is longer than any real one is invalid", async () => {
    const call = (length: number) => surfaces[surface]().call("GET", `/assets?cursor=${"x".repeat(length)}`);
    expect(await call(800)).toMatchObject({ status: 200 });
    expect(await call(801)).toMatchObject({ status: 422, body: { errors: [{ field: "cursor" }] } });
  });
});

test("`sort` is one of the list's, and a list without sorts has no such parameter", async () => {
  const { call } = surfaces.b();
  expect(await call("GET", "/movements?sort=-id")).toMatchObject({ status: 200 });
  expect(asked).toMatchObject([{ sort: "-id" }]);
  for (const path of ["/movements?sort=at", "/movements?sort=", "/alert-rules?sort=id"]) {
    const admin = gateway.surfaceB(gateway.accounts.session("admin"));
    expect(await admin.call("GET", path)).toMatchObject({
      status: 422,
      body: { errors: [{ field: "sort" }] },
    });
  }
});

test("every route that answers a list has pages, but for trees, counts and lists with cursors only", () => {
  const shape = ({ schema }: (typeof gateway.routes)[number]) => {
    const { properties = {} } =
      (schema.response as { 200?: { properties?: Record<string, Shape> } })?.[200] ?? {};
    const parameters = (schema.querystring as Shape | undefined)?.properties ?? {};
    return {
      isList: properties.data?.type === "array",
      isPaged: "total" in (properties.meta?.properties ?? properties),
      parameters,
    };
  };
  const lists = gateway.routes.filter((route) => route.method === "GET" && shape(route).isList);
  expect(lists.length).toBeGreaterThan(40);
  const unpaged = lists.filter((route) => !shape(route).isPaged || !("page" in shape(route).parameters));
  expect(unpaged.map(({ url }) => url).sort()).toEqual([
    ...["/asset_manager_api/assets/:id/sightings", "/asset_manager_api/events"],
    ...["/asset_manager_api/locations/tree", "/asset_manager_api/readers/:id/activity"],
    ...["/asset_manager_api/readers/:id/reads", "/asset_manager_api/tags/:id/reads"],
    ...["/asset_manager_api/zones/:id/presence"],
    ...["/asset_manager_api/zones/presence", "/v1/events"],
  ]);
});

type Shape = { type?: string; properties?: Record<string, Shape> };
