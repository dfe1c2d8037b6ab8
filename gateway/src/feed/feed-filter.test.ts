import type { Principal } from "@asset-register/rpc";
import { expect, test } from "vitest";
import { admits, feedFilter, parseTypes } from "./feed-filter.ts";
import type { FeedItem } from "./feed-item.ts";

const user = (...capabilities: ("view" | "devices")[]): Principal => ({
  ...{ kind: "user", workspaceId: "wsp_1", id: "usr_1", sessionId: "ses_1", deviceUuid: "d", capabilities },
});
const key: Principal = { kind: "api_key", workspaceId: "wsp_1", id: "key_1", scopes: ["events:read"] };
const item = (type: string, assetId?: string): FeedItem => ({
  ...{ seq: 1, cursor: "", type, assetId, frame: Buffer.alloc(0), textAt: 0 },
});

test("a session without the capability devices gets no events of readers, a key gets every type", () => {
  const types = ["asset.created", "reader.revoked"];
  const seen = (principal: Principal, asked: string[] = []) =>
    types.filter((type) => admits(feedFilter(principal, asked, undefined), item(type)));
  expect(seen(user("view"))).toEqual(["asset.created"]);
  expect(seen(user("view"), ["reader.*"])).toEqual([]);
  expect(seen(user("view", "devices"))).toEqual(types);
  expect(seen(key)).toEqual(types);
  expect(seen(key, ["reader.*"])).toEqual(["reader.revoked"]);
});

test("a key without a filter also gets types of later releases", () => {
  expect(admits(feedFilter(key, [], undefined), item("asset.teleported"))).toBe(true);
});

test("a filter by asset leaves out what is about another asset or none", () => {
  const filter = feedFilter(key, [], "ast_1");
  expect(["ast_1", "ast_2", undefined].map((id) => admits(filter, item("asset.created", id)))).toEqual([
    ...[true, false, false],
  ]);
});

test("types are a list of types and groups, at most 20, each of which must exist", () => {
  expect(parseTypes("asset.*,checkout.created")).toEqual(["asset.*", "checkout.created"]);
  expect(parseTypes(undefined)).toEqual([]);
  for (const wrong of ["asset", "*", "asset.created,", "planet.*", Array(21).fill("asset.*").join()]) {
    expect(() => parseTypes(wrong)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
  }
});
