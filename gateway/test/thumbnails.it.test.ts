import { AssetImageService } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { unavailable } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

let asked: string[][] = [];
let isDown = false;

const at = timestampFromDate(new Date(0));
const image = { contentType: "image/png", bytes: 5, sha256: "abc", updatedAt: at };
const asset = (id: string, more: object = { image }) => ({
  ...{ id, name: "Saw", number: id, statusId: "sta_1", rev: 1 },
  ...more,
});
const assets = [asset("ast_1"), asset("ast_2"), asset("ast_3", {}), asset("ast_4", { image, deletedAt: at })];
const content = Buffer.alloc(limits.thumbnailBytes, 7);

const gateway = await startGateway({
  implementations: [
    serving(AssetService, {
      listAssets: ({ q }) => ({
        assets: q === undefined ? assets : assets.slice(2),
        page: { page: 1, limit: 50, total: 4 },
      }),
    }),
    serving(AssetImageService, {
      listThumbnails({ assetIds }) {
        asked.push(assetIds);
        if (isDown) throw unavailable("register");
        return { thumbnails: [{ assetId: "ast_2", content }] };
      },
    }),
  ],
});
afterAll(() => gateway.stop());
beforeEach(() => {
  [asked, isDown] = [[], false];
});

const b = gateway.surfaceB(gateway.accounts.session("view"));
type List = { data: Record<string, unknown>[] };
const thumbnails = async (query = "") =>
  (await b.get<List>(`/assets?expand=thumbnail${query}`)).data.map(({ thumbnail }) => thumbnail);

test("thumbnails of a page are data URLs of at most 4 KiB, from one call for the assets with an image", async () => {
  const [missing, url, bare, deleted] = await thumbnails();
  expect([missing, bare, deleted]).toEqual([null, null, undefined]);
  expect(url).toBe(`data:image/webp;base64,${content.toString("base64")}`);
  expect(String(url).length).toBeLessThanOrEqual(4096);
  expect(asked).toEqual([["ast_1", "ast_2"]]);
  expect(await thumbnails("&q=bare")).toEqual([null, undefined]);
  expect(asked).toHaveLength(1);
});

test("without the parameter there are none, and nobody is asked", async () => {
  const { data } = await b.get<List>("/assets");
  expect(data.some((row) => "thumbnail" in row)).toBe(false);
  expect(asked).toEqual([]);
});

test("if register does not answer, they are null and the answer is 200", async () => {
  isDown = true;
  expect(await thumbnails()).toEqual([null, null, null, undefined]);
});

test("per_page above 50 is 422 with thumbnails, and is not without", async () => {
  expect(await b.call("GET", "/assets?expand=thumbnail&per_page=51")).toMatchObject({
    status: 422,
    body: { errors: [{ field: "per_page", message: "must be at most 50 with expand=thumbnail" }] },
  });
  expect(asked).toEqual([]);
  expect(await thumbnails("&per_page=50")).toHaveLength(4);
  expect((await b.call("GET", "/assets?per_page=51")).status).toBe(200);
});

test("only the list of assets on surface B has them", async () => {
  const refused = { status: 422, body: { errors: [{ field: "expand" }] } };
  expect(await b.call("GET", "/assets/ast_1?expand=thumbnail")).toMatchObject(refused);
  expect(await b.call("GET", "/checkouts?expand=thumbnail")).toMatchObject(refused);
  const a = gateway.surfaceA(gateway.accounts.apiKey("assets:read"));
  expect(await a.call("GET", "/assets?expand=thumbnail")).toMatchObject(refused);
});
