import { expect, test } from "vitest";
import { assetsOf, type TagAct, tagHistory } from "./asset-tags.ts";

const at = new Date("2026-03-01T12:00:00Z");
const act: TagAct = {
  ...{ action: "untagged", workspaceId: "wsp_1", tagId: "tag_1", code: "QR-1", assetId: "ast_1" },
  ...{ rev: 3, at, requestId: "req_1", note: "worn", actor: { kind: "user", id: "usr_1" } },
};

test("the history row of an act names tag, actor and note, and a repeat has the same id", () => {
  const row = tagHistory(act);
  expect(row).toEqual({
    ...{ id: row.id, workspaceId: "wsp_1" },
    ...{ assetId: "ast_1", action: "untagged", at, note: "worn", requestId: "req_1" },
    actor: { kind: "user", id: "usr_1" },
    changes: [
      { field: "tag_id", before: "tag_1" },
      { field: "code", before: "QR-1" },
    ],
  });
  expect(tagHistory({ ...act }).id).toBe(row.id);
  expect(tagHistory({ ...act, rev: 5 }).id).not.toBe(row.id);
});

test("events of a tag touch the asset that they free and the asset that they bind, each once", () => {
  expect(assetsOf([{}], [act])).toEqual(["ast_1"]);
  expect(assetsOf([{ assetId: "ast_1" }, { assetId: "ast_2" }], [act])).toEqual(["ast_1", "ast_2"]);
  expect(assetsOf([{}], [])).toEqual([]);
});
