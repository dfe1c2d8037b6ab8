import { expect, test } from "vitest";
import { assetsOf, type TagChange, tagHistory } from "./asset-tags.ts";

const at = new Date("2026-03-01T12:00:00Z");
const change: TagChange = {
  ...{ workspaceId: "wsp_1", tagId: "tag_1", epoch: 0, sequence: 3 },
  tag: { id: "tag_1", workspaceId: "wsp_1", type: "qr", code: "QR-1" },
  act: {
    ...{ action: "untagged", assetId: "ast_1", rev: 3, at, requestId: "req_1", note: "worn" },
    actor: { kind: "user", id: "usr_1" },
  },
};

test("the history row of an act names tag, actor and note, and a repeat has the same id", () => {
  const [row] = tagHistory(change);
  expect(row).toMatchObject({
    ...{ assetId: "ast_1", action: "untagged", at, note: "worn", requestId: "req_1" },
    actor: { kind: "user", id: "usr_1" },
    changes: [
      { field: "tag_id", before: "tag_1" },
      { field: "code", before: "QR-1" },
    ],
  });
  expect(tagHistory({ ...change, epoch: 7 })[0]?.id).toBe(row?.id);
  expect(tagHistory({ ...change, act: { ...change.act!, rev: 5 } })[0]?.id).not.toBe(row?.id);
});

test("a state without an act has no history row", () => {
  expect(tagHistory({ ...change, act: undefined })).toEqual([]);
});

test("an event touches the asset that it frees and the asset that it binds", () => {
  expect(assetsOf(change)).toEqual(["ast_1"]);
  expect(assetsOf({ ...change, tag: { ...change.tag!, assetId: "ast_2" } })).toEqual(["ast_2", "ast_1"]);
  expect(assetsOf({ ...change, tag: undefined, act: undefined })).toEqual([]);
});
