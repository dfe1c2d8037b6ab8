import { request } from "node:http";
import { AssetService, CreateAssetStatus } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const gateway = await startGateway({
  implementations: [
    serving(AssetService, {
      createAssets: ({ assets }) => ({
        results: assets.map(({ name }) => ({
          status: CreateAssetStatus.CREATED,
          id: `ast_${name}`,
          number: "1",
          strippedFields: [],
        })),
      }),
    }),
  ],
});
const session = gateway.accounts.session("admin");
afterAll(() => gateway?.stop());

const post = (assets: object[]) => gateway.surfaceB(session).call("POST", "/assets/bulk", { assets });

test("an amount that the currency can't hold refuses its asset; the others keep their index", async () => {
  expect(
    await post([{ name: "a" }, { name: "b", cost: 1.005 }, { name: "c", status_id: "sta_1" }]),
  ).toMatchObject({
    status: 200,
    body: {
      results: [
        { index: 0, status: "created", id: "ast_a", number: "1" },
        { index: 1, status: "rejected", code: "VALIDATION_FAILED", errors: [{ field: "cost" }] },
        { index: 2, status: "created", id: "ast_c", ignored_fields: ["status_id"] },
      ],
    },
  });
});

test("a body of 2 MiB is accepted, one of more than 8 MiB is refused before it is read", async () => {
  const description = "x".repeat(5_000);
  const assets = Array.from({ length: 420 }, () => ({ name: "Drill", description }));
  expect(await post(assets)).toMatchObject({ status: 200 });

  const status = await new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${session}`,
      "content-type": "application/json",
      "content-length": 8 * 1_048_576 + 1,
    };
    const call = request(`${gateway.url}/asset_manager_api/assets/bulk`, { method: "POST", headers });
    call.on("response", (response) => {
      resolve(response.statusCode);
      call.destroy();
    });
    call.on("error", reject);
    call.flushHeaders();
  });
  expect(status).toBe(413);
});
