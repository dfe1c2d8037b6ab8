import { eventTypes } from "@asset-register/proto/event-types";
import { decodeFeedCursor } from "@asset-register/proto/feed-cursor";
import type { Capability, Principal } from "@asset-register/rpc";
import { expect, test } from "vitest";
import { type Message, messageBody } from "../webhooks/message.ts";
import { cursorOfHead, emptyHead, feedEntryOf, visibleTypes } from "./feed-entry.ts";

const message: Message = {
  ...{ workspaceId: "wsp_1", type: "asset.moved", cause: "evt_1", time: new Date("2026-03-01T09:30:00Z") },
  data: { seq: 7, asset_id: "ast_1", at: null },
};

test("an entry and the webhook message of an event have the same id, type, time and data", () => {
  const { id, type, timestamp, workspaceId, data, assetId } = feedEntryOf(message);
  const body = { id, type, timestamp, workspace_id: workspaceId, data: JSON.parse(data) };
  expect(JSON.stringify(body)).toBe(messageBody(message));
  expect(assetId).toBe("ast_1");
});

test("an entry about no asset has no asset_id", () => {
  for (const asset_id of [null, undefined]) {
    expect(feedEntryOf({ ...message, data: { seq: 7, asset_id } })).not.toHaveProperty("assetId");
  }
});

test("a key sees all types; a user sees reader.* with the capability devices only", () => {
  const user = (...capabilities: Capability[]): Principal => ({
    ...{ kind: "user", workspaceId: "wsp_1", id: "usr_1", sessionId: "ses_1", deviceUuid: "d" },
    capabilities,
  });
  expect(visibleTypes({ kind: "api_key", workspaceId: "wsp_1", id: "key_1", scopes: [] })).toBeUndefined();
  expect(visibleTypes(user("admin"))).toBeUndefined();
  expect(visibleTypes(user("view", "devices"))).toBeUndefined();
  const types = Object.keys(eventTypes).filter((type) => !type.startsWith("reader."));
  expect(visibleTypes(user("view"))).toEqual(types);
  expect(visibleTypes({ kind: "anonymous" })).toEqual([]);
});

test("the cursor of a workspace without entries is the place before the first one", () => {
  const cursor = cursorOfHead(emptyHead("wsp_1"));
  expect(decodeFeedCursor("wsp_1", cursor)).toEqual({ workspaceId: "wsp_1", seq: 0, mark: "" });
});
