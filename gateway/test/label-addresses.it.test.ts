import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { TagService, TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { newCheckedCode } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const PUBLIC_URL = "https://assets.example.com";
const made = newCheckedCode(12);

/** The texts that tagging-ingest got. */
const received: (string | undefined)[] = [];

const gateway = await startGateway({
  settings: { PUBLIC_URL },
  implementations: [
    serving(TagService, {
      lookupTag: ({ text }) => {
        received.push(text);
        return { tagId: "tag_1", assetId: "ast_1" };
      },
      commissionTag: ({ identifier, assetId }) => {
        received.push(identifier.value);
        return { tag: { id: "tag_1", type: TagType.QR, assetId, rev: 1 }, created: true };
      },
    }),
    serving(AssetService, { getAsset: ({ id }) => ({ asset: { id, name: "Drill", rev: 1 } }) }),
  ],
});
const userApi = gateway.surfaceB(gateway.accounts.session("admin"));
const keyApi = gateway.surfaceA(gateway.accounts.apiKey("tags:write"));
afterAll(() => gateway.stop());

const receivedBy = async (call: Promise<unknown>): Promise<(string | undefined)[]> => {
  received.length = 0;
  expect(await call).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
  return [...received];
};

test("the look-up and both commissionings take the address of a label for its code", async () => {
  const address = `${PUBLIC_URL}/t/AR%2042`;
  const bound = { code: address, asset_id: "ast_1" };
  const path = `/assets/lookup?tag=${encodeURIComponent(address)}`;
  expect(await receivedBy(userApi.call("GET", path))).toEqual(["AR 42"]);
  expect(await receivedBy(userApi.call("POST", "/tags/commission", bound))).toEqual(["AR 42"]);
  expect(await receivedBy(keyApi.call("POST", "/tags/commission", bound))).toEqual(["AR 42"]);
});

test("the address of an earlier domain needs a valid check character; any other text is looked up as it is", async () => {
  const lookup = (tag: string) => userApi.call("GET", `/assets/lookup?tag=${encodeURIComponent(tag)}`);
  expect(await receivedBy(lookup(`http://old.example.org/t/${made}`))).toEqual([made]);
  for (const text of ["http://old.example.org/t/AR-42", "AR-42", made])
    expect(await receivedBy(lookup(text))).toEqual([text]);
});

test("GET /t/{code} leads to the console for every code, without a credential and without a look-up", async () => {
  received.length = 0;
  for (const code of [made, "nonsense", "a%2Fb%3Fc"]) {
    const response = await fetch(`${gateway.url}/t/${code}`, { redirect: "manual" });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${PUBLIC_URL}/app/t/${code}`);
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
  expect(received).toEqual([]);
  const post = await fetch(`${gateway.url}/t/${made}`, { method: "POST" });
  expect(post.status).toBe(405);
  expect(post.headers.get("allow")).toBe("GET, HEAD");
});
