import fc from "fast-check";
import { expect, test } from "vitest";
import { eventFilters, type Message, messageBody, messageId, messageTypes, wants } from "./message.ts";

const message: Message = {
  workspaceId: "wsp_1",
  type: "asset.moved",
  cause: "evt_1",
  time: new Date("2026-01-01T00:00:00.000Z"),
  data: { seq: 3, asset_id: "ast_1" },
};

test("a body has the documented fields in the documented order", () => {
  expect(messageBody(message)).toBe(
    `{"id":"${messageId(message)}","type":"asset.moved","timestamp":"2026-01-01T00:00:00.000Z","workspace_id":"wsp_1","data":{"seq":3,"asset_id":"ast_1"}}`,
  );
});

test("a message id depends on the event alone, and differs between events, types and workspaces", () => {
  const id = messageId(message);
  expect(id).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(messageId({ ...message, time: new Date(0), data: { seq: 9 } } as Message)).toBe(id);
  const texts = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(texts, texts, (cause, workspaceId) => {
      const other = messageId({ ...message, cause, workspaceId });
      expect(other === id).toBe(cause === message.cause && workspaceId === message.workspaceId);
    }),
  );
  expect(new Set(messageTypes.map((type) => messageId({ ...message, type }))).size).toBe(messageTypes.length);
});

test("a subscription gets the types that it asks for, and * all types", () => {
  expect(messageTypes.filter((type) => wants(["asset.moved", "alert.raised"], type))).toEqual([
    "asset.moved",
    "alert.raised",
  ]);
  expect(messageTypes.every((type) => wants(["*"], type))).toBe(true);
  expect(eventFilters).toContain("*");
  expect(eventFilters).not.toContain("asset.*");
});
