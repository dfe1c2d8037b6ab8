import { eventually } from "@asset-register/harness";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { isCheckedCode, newId } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { sharedTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import { byCode, byEpc, type Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();

const user = { kind: "user" as const, id: newId("usr") };

type Options = { causeId?: string; bindMissing?: boolean };

async function ensure({ id: workspaceId }: Pick<Workspace, "id">, assetIds: string[], options: Options = {}) {
  const { causeId = newId("lbl"), bindMissing = true } = options;
  const request = { workspaceId, assetIds, causeId, bindMissing };
  const onBehalfOf = { workspaceId, actor: user };
  const { results } = await tagging.labelCodes.ensureCodes(request, { onBehalfOf, requestId: "req-9" });
  return results.map(({ code, refusal }) => code ?? refusal);
}

const commission = async ({ admin }: Workspace, assetId: string, code: string, type = TagType.QR) =>
  (await tagging.tags.commissionTag({ ...byCode(code), assetId, type }, admin)).tag!;

const tagsOf = async ({ admin }: Workspace, assetId: string) =>
  (await tagging.tags.listTags({ assetId }, admin)).tags;

test("each asset has the code of its newest QR code or barcode, in the order of the request", async () => {
  const workspace = tagging.newWorkspace();
  const [first, second, none] = [workspace.newAsset(), workspace.newAsset(), workspace.newAsset()];
  await commission(workspace, first, "old");
  await commission(workspace, first, "new", TagType.BARCODE);
  await commission(workspace, second, "AR 2/b");
  await commission(workspace, second, "04:a2:2b:91", TagType.NFC);
  await tagging.tags.commissionTag({ ...byEpc(newEpc()), assetId: none }, workspace.admin);
  const ids = [second, none, first];
  expect(await ensure(workspace, ids, { bindMissing: false })).toEqual(["AR 2/b", undefined, "new"]);
  expect(await ensure(tagging.newWorkspace(), ids, { bindMissing: false })).toEqual(Array(3).fill(undefined));
});

test("an asset without a code gets a new QR tag with a check character, which is published with its actor", async () => {
  const workspace = tagging.newWorkspace();
  const [tagged, assetId] = [workspace.newAsset(), workspace.newAsset()];
  await commission(workspace, tagged, "AR-1");
  const [known, code = ""] = await ensure(workspace, [tagged, assetId]);
  expect(known).toBe("AR-1");
  expect(isCheckedCode(code, 12)).toBe(true);
  const [tag] = await tagsOf(workspace, assetId);
  expect(tag).toMatchObject({ type: TagType.QR, code, assetId, rev: 1 });
  expect(await tagging.tags.lookupTag({ text: code }, workspace.admin)).toMatchObject({ assetId });
  await eventually(() => expect(tagging.recorded.tag.of(tag!.id)).toHaveLength(1));
  expect(tagging.recorded.tag.of(tag!.id)[0]).toMatchObject({
    type: "tag.commissioned",
    message: { actor: { id: user.id }, requestId: "req-9", state: { code } },
  });
});

test("a repeat binds nothing twice: the same work again, another work, and several at once", async () => {
  const workspace = tagging.newWorkspace();
  const assetIds = Array.from({ length: 20 }, () => workspace.newAsset());
  const causeId = newId("lbl");
  const calls = [causeId, causeId, newId("lbl")].map((id) => ensure(workspace, assetIds, { causeId: id }));
  const settled = await Promise.allSettled(calls);
  expect(settled.some(({ status }) => status === "fulfilled")).toBe(true);
  const codes = await ensure(workspace, assetIds, { causeId });
  for (const one of settled) if (one.status === "fulfilled") expect(one.value).toEqual(codes);
  for (const assetId of assetIds) expect(await tagsOf(workspace, assetId)).toHaveLength(1);
});

test("a repeat after the tag was freed has the first answer and binds nothing; another work binds a new tag", async () => {
  const workspace = tagging.newWorkspace();
  const assetId = workspace.newAsset();
  const causeId = newId("lbl");
  const [code] = await ensure(workspace, [assetId], { causeId });
  const [tag] = await tagsOf(workspace, assetId);
  await tagging.tags.decommissionTag({ id: tag!.id }, workspace.admin);
  expect(await ensure(workspace, [assetId], { causeId })).toEqual([code]);
  expect(await tagsOf(workspace, assetId)).toEqual([]);
  const [other] = await ensure(workspace, [assetId]);
  expect(other).not.toBe(code);
  expect(await tagsOf(workspace, assetId)).toMatchObject([{ code: other }]);
});

test("a deleted asset takes no tag; the others of the call get theirs", async () => {
  const workspace = tagging.newWorkspace();
  const [gone, kept] = [workspace.newAsset(), workspace.newAsset()];
  await commission(workspace, gone, "AR-9");
  await tagging.publish({
    ...{ topic: topics.asset, workspaceId: workspace.id, subject: gone, sequence: 2, type: "asset.deleted" },
    message: {
      state: { id: gone, deletedAt: timestampFromDate(new Date()) },
      change: { case: "deleted", value: {} },
    },
  });
  await eventually(async () => expect(await tagsOf(workspace, gone)).toEqual([]));
  const [refused, code = ""] = await ensure(workspace, [gone, kept]);
  expect(refused).toBe("ASSET_TAKES_NO_TAG");
  expect(isCheckedCode(code, 12)).toBe(true);
});

test("1,000 assets are one call; more, or the same asset twice, are refused, and so are other services", async () => {
  const { id } = tagging.newWorkspace();
  const assetIds = Array.from({ length: 1_000 }, () => newId("ast"));
  const codes = await ensure({ id }, assetIds);
  expect(new Set(codes).size).toBe(1_000);
  expect(await codeOf(ensure({ id }, [...assetIds, newId("ast")]))).toBe("VALIDATION_FAILED");
  expect(await codeOf(ensure({ id }, ["ast_1", "ast_1"]))).toBe("VALIDATION_FAILED");
  const request = { workspaceId: id, assetIds: ["ast_1"], causeId: "lbl_1" };
  expect(await codeOf(tagging.tagDirectory.ensureCodes(request))).toBe("FORBIDDEN");
});
