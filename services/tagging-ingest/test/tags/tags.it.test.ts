import { eventually } from "@asset-register/harness";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { caller, codeOf, failure } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import { byCode, byEpc, type Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();

type Identifier = ReturnType<typeof byEpc> | ReturnType<typeof byCode>;

const commission = ({ admin }: Workspace, identifier: Identifier, assetId: string, type?: TagType) =>
  tagging.tags.commissionTag({ ...identifier, assetId, ...(type !== undefined && { type }) }, admin);

const lookup = async ({ admin }: Workspace, text: string) => {
  const { tagId, assetId } = await tagging.tags.lookupTag({ text }, admin);
  return { tagId, assetId };
};

const readTag = async ({ admin }: Workspace, id: string) => (await tagging.tags.getTag({ id }, admin)).tag!;

/** The event that an asset was deleted. */
const assetDeleted = ({ id: workspaceId }: Workspace, assetId: string) => ({
  ...{ topic: topics.asset, workspaceId, subject: assetId, sequence: 2, type: "asset.deleted" },
  message: {
    state: { id: assetId, deletedAt: timestampFromDate(new Date()) },
    change: { case: "deleted", value: {} } as const,
  },
});

/** Calls at once: which of them succeeded, and the codes of the others. */
async function outcomes(calls: Promise<unknown>[]) {
  const codes = await Promise.all(calls.map((call) => codeOf(call)));
  return { codes, sorted: codes.map((code) => code ?? "OK").toSorted() };
}

describe("decommissioning", () => {
  it("frees a tag, keeps what it was on, and publishes who did it and why; again changes nothing", async () => {
    const workspace = tagging.newWorkspace();
    const { assetId, epc, tagId } = await workspace.taggedAsset();
    const as = { ...workspace.admin, requestId: "req-7" };
    const free = (ifRevIn: number[]) =>
      tagging.tags.decommissionTag({ id: tagId, note: " Label is torn ", ifRevIn }, as);
    expect(await codeOf(free([2]))).toBe("PRECONDITION_FAILED");
    const { tag } = await free([1]);
    expect(tag).toMatchObject({ id: tagId, lastAssetId: assetId, rev: 2 });
    expect([tag?.assetId, tag?.boundAt, tag?.unboundAt === undefined]).toEqual([undefined, undefined, false]);
    expect((await free([2])).tag).toEqual(tag);
    expect(await readTag(workspace, tagId)).toEqual(tag);
    expect(await codeOf(lookup(workspace, epc))).toBe("NOT_FOUND");
    await eventually(() => expect(tagging.recorded.tag.of(tagId)).toHaveLength(2));
    expect(tagging.recorded.tag.of(tagId).map(({ type }) => type)).toEqual([
      "tag.commissioned",
      "tag.decommissioned",
    ]);
    const { message } = tagging.recorded.tag.of(tagId).at(-1)!;
    const { principal } = workspace.admin;
    expect(message).toMatchObject({
      state: { lastAssetId: assetId },
      actor: { kind: ActorKind.USER, id: principal.kind === "user" ? principal.id : "" },
      ...{ requestId: "req-7", note: "Label is torn" },
      change: { case: "decommissioned", value: { assetId } },
    });
  });

  it("a tag of another workspace is not found, and a viewer may not free tags", async () => {
    const workspace = tagging.newWorkspace();
    const { tagId: id } = await workspace.taggedAsset();
    expect(await codeOf(tagging.tags.decommissionTag({ id }, tagging.newWorkspace().admin))).toBe(
      "NOT_FOUND",
    );
    expect(await codeOf(tagging.tags.getTag({ id }, tagging.newWorkspace().admin))).toBe("NOT_FOUND");
    const viewer = caller.user(workspace.id, "view");
    expect(await codeOf(tagging.tags.decommissionTag({ id }, viewer))).toBe("FORBIDDEN");
    expect(await readTag(workspace, id)).toMatchObject({ rev: 1 });
  });

  it("a tag that is freed while it is commissioned to another asset has one of the two states, with all its events", async () => {
    const workspace = tagging.newWorkspace();
    const { assetId, epc, tagId: id } = await workspace.taggedAsset();
    const other = workspace.newAsset();
    const { codes } = await outcomes([
      tagging.tags.decommissionTag({ id }, workspace.admin),
      commission(workspace, byEpc(epc), other),
    ]);
    expect(codes[0]).toBeUndefined();
    expect([undefined, "TAG_ALREADY_BOUND"]).toContain(codes[1]);
    const bound = codes[1] === undefined;
    const tag = await readTag(workspace, id);
    expect(tag).toMatchObject({ lastAssetId: assetId, rev: bound ? 3 : 2 });
    expect(tag.assetId).toBe(bound ? other : undefined);
    await eventually(() => expect(tagging.recorded.tag.of(id)).toHaveLength(bound ? 3 : 2));
  });

  it("a commission while the asset is deleted: the tag ends free", async () => {
    const workspace = tagging.newWorkspace();
    const assetId = workspace.newAsset();
    const epc = newEpc();
    const [code] = await Promise.all([
      codeOf(commission(workspace, byEpc(epc), assetId)),
      tagging.publish(assetDeleted(workspace, assetId)),
    ]);
    expect([undefined, "ASSET_TAKES_NO_TAG"]).toContain(code);
    await eventually(async () => {
      expect(await codeOf(commission(workspace, byCode("X"), assetId))).toBe("ASSET_TAKES_NO_TAG");
      expect(await codeOf(lookup(workspace, epc))).toBe("NOT_FOUND");
    });
    // The register answers that the asset does not exist. The mark says that it was deleted.
    tagging.register.assets.delete(workspace.id, assetId);
    expect(await codeOf(commission(workspace, byCode("X"), assetId))).toBe("ASSET_TAKES_NO_TAG");
  });
});

describe("a text has one answer", () => {
  it("an EPC is found in every form, a code as it is printed, and an NFC UID with any separators", async () => {
    const workspace = tagging.newWorkspace();
    const epc = await commission(workspace, byEpc("3074257BF7194E4000001A85"), workspace.newAsset());
    const qr = await commission(workspace, byCode("AST-1"), workspace.newAsset());
    const uid = byCode("04:a2:2b:91:6c:51:80");
    const nfc = await commission(workspace, uid, workspace.newAsset(), TagType.NFC);
    const expected = [
      { tag: epc.tag, texts: ["3074257bf7194e4000001a85", "urn:epc:id:sgtin:0614141.812345.6789"] },
      { tag: epc.tag, texts: ["urn:epc:raw:96.x3074257BF7194E4000001A85"] },
      { tag: qr.tag, texts: ["AST-1", "  AST-1 "] },
      { tag: nfc.tag, texts: ["04A22B916C5180", "04-a2-2b-91-6c-51-80", "04:A2:2B:91:6C:51:80"] },
    ];
    for (const { tag, texts } of expected) {
      for (const text of texts) {
        expect(await lookup(workspace, text), text).toEqual({ tagId: tag?.id, assetId: tag?.assetId });
        expect(await codeOf(lookup(tagging.newWorkspace(), text))).toBe("NOT_FOUND");
      }
    }
    for (const text of ["ast-1", "AST-2", "\u0001"]) {
      expect(await codeOf(lookup(workspace, text))).toBe("NOT_FOUND");
    }
    for (const text of ["", "x".repeat(257)]) {
      expect(await codeOf(lookup(workspace, text))).toBe("VALIDATION_FAILED");
    }
  });

  it("the same text as EPC and as code: refused on two assets in any order, allowed on one", async () => {
    const workspace = tagging.newWorkspace();
    const forms: [Identifier, Identifier, TagType?][] = [
      [byEpc("E28011AA"), byCode("e28011aa")],
      [byCode("E28011BB"), byEpc("E28011BB")],
      [byCode("04a22b91"), byCode("04:A2:2B:91"), TagType.NFC],
    ];
    for (const [first, second, type] of forms) {
      const [one, other] = [workspace.newAsset(), workspace.newAsset()];
      await commission(workspace, first, one);
      expect(await failure(commission(workspace, second, other, type))).toMatchObject({
        ...{ kind: "conflict", code: "TAG_ALREADY_BOUND" },
      });
      const { tag } = await commission(workspace, second, one, type);
      expect(tag?.assetId).toBe(one);
      expect(await lookup(workspace, second.identifier.value)).toMatchObject({ assetId: one });
    }
  });

  it("two commissions of one text as EPC and as code at once, for two assets: one succeeds", async () => {
    const workspace = tagging.newWorkspace();
    for (let round = 0; round < 5; round += 1) {
      const text = newEpc();
      const { sorted } = await outcomes([
        commission(workspace, byEpc(text), workspace.newAsset()),
        commission(workspace, byCode(text), workspace.newAsset()),
      ]);
      expect(sorted).toEqual(["OK", "TAG_ALREADY_BOUND"]);
    }
    const { page } = await tagging.tags.listTags({ assigned: true }, workspace.admin);
    expect(page?.total).toBe(5);
  });

  it("a freed text can be given to another asset in the other form", async () => {
    const workspace = tagging.newWorkspace();
    const { epc, tagId } = await workspace.taggedAsset();
    const other = workspace.newAsset();
    await tagging.tags.decommissionTag({ id: tagId }, workspace.admin);
    const { tag } = await commission(workspace, byCode(epc), other);
    expect(await lookup(workspace, epc)).toEqual({ tagId: tag?.id, assetId: other });
    // The first tag is free, but its text now means another asset.
    const again = commission(workspace, byEpc(epc), workspace.newAsset());
    expect(await codeOf(again)).toBe("TAG_ALREADY_BOUND");
  });
});

describe("resolving tags for other services", () => {
  it("answers each item in order: the asset, the asset before, or nothing", async () => {
    const workspace = tagging.newWorkspace();
    const [bound, free] = [await workspace.taggedAsset(), await workspace.taggedAsset()];
    await tagging.tags.decommissionTag({ id: free.tagId }, workspace.admin);
    const nfcAsset = workspace.newAsset();
    const nfc = await commission(workspace, byCode("04A22B916C51FF"), nfcAsset, TagType.NFC);
    const items = [
      ...[byEpc(free.epc), byEpc("no epc"), byEpc(bound.epc.toLowerCase()), byCode(bound.epc)],
      ...[byCode("04:a2:2b:91:6c:51:ff"), byEpc(bound.epc), {}],
    ];
    const { results } = await tagging.tagDirectory.resolveTags({ workspaceId: workspace.id, items });
    expect(results.map(({ tagId, assetId, lastAssetId }) => [tagId, assetId, lastAssetId])).toEqual([
      [free.tagId, undefined, free.assetId],
      [undefined, undefined, undefined],
      [bound.tagId, bound.assetId, undefined],
      [bound.tagId, bound.assetId, undefined],
      [nfc.tag?.id, nfcAsset, undefined],
      [bound.tagId, bound.assetId, undefined],
      [undefined, undefined, undefined],
    ]);
    expect(results[0]?.unboundAt).toBeDefined();
    const foreign = await tagging.tagDirectory.resolveTags({ workspaceId: tagging.newWorkspace().id, items });
    expect(foreign.results.map(({ tagId }) => tagId)).toEqual(items.map(() => undefined));
  });

  it("answers one canonical form for all texts that mean the same tag, whether it exists or not", async () => {
    const workspace = tagging.newWorkspace();
    const [epc, uri] = ["3074257BF7194E4000001A85", "urn:epc:id:sgtin:0614141.812345.6789"];
    const items = [byEpc(epc), byEpc(uri), byCode(epc.toLowerCase()), byCode(uri)];
    const others = [byCode("04:a2:2b:91"), byCode("04a22b91"), byCode(" AR-1 "), byEpc("no epc")];
    const resolve = async () => {
      const request = { workspaceId: workspace.id, items: [...items, ...others] };
      return (await tagging.tagDirectory.resolveTags(request)).results;
    };
    const forms = (await resolve()).map(({ canonical }) => canonical);
    const form = "epc:3014257BF7194E4000001A85";
    expect(forms).toEqual([...items.map(() => form), "epc:04A22B91", "epc:04A22B91", "code:AR-1", ""]);
    const asset = workspace.newAsset();
    await commission(workspace, byEpc(uri), asset);
    await commission(workspace, byCode("04A22B91"), workspace.newAsset(), TagType.NFC);
    const found = await resolve();
    expect(found.slice(0, 4).map(({ assetId, canonical }) => [assetId, canonical])).toEqual(
      items.map(() => [asset, form]),
    );
    expect(found.slice(4, 6).map(({ canonical }) => canonical)).toEqual(["nfc:04A22B91", "nfc:04A22B91"]);
  });

  it("takes up to 1000 items", async () => {
    const ask = (count: number) =>
      tagging.tagDirectory.resolveTags({
        ...{ workspaceId: "wsp_1", items: Array.from({ length: count }, (_, at) => byCode(`C-${at}`)) },
      });
    expect((await ask(1000)).results).toHaveLength(1000);
    expect(await codeOf(ask(1001))).toBe("VALIDATION_FAILED");
  });
});

it("each filter of the list reads only its own rows of an index, in order of id", async () => {
  const workspace = tagging.newWorkspace();
  const assetId = workspace.newAsset();
  for (let at = 0; at < 40; at += 1) {
    const other = at % 10 === 0 ? assetId : workspace.newAsset();
    const type = at % 2 === 0 ? TagType.QR : TagType.BARCODE;
    const { tag } = await commission(workspace, byCode(`F-${at}`), other, type);
    if (at % 4 === 1) await tagging.tags.decommissionTag({ id: tag!.id }, workspace.admin);
  }
  const filters: [object, object, number][] = [
    [{ type: TagType.QR }, { type: "qr" }, 20],
    [{ assigned: false }, { assigned: false }, 10],
    [{ assigned: true }, { assigned: true }, 30],
    [{ ghost: false }, { assigned: { $in: [true, false] } }, 40],
    [{ ghost: true }, { ghost: true }, 0],
    [{ assetId }, { assetId }, 4],
    [{ type: TagType.BARCODE, assigned: false }, { type: "barcode", assigned: false }, 10],
  ];
  for (const [request, filter, expected] of filters) {
    const { tags, page } = await tagging.tags.listTags(request, workspace.admin);
    expect([tags.length, page?.total], JSON.stringify(filter)).toEqual([expected, expected]);
    const found = tagging.mongo.collection("tags").find({ workspaceId: workspace.id, ...filter });
    const explained: unknown = await found.sort({ _id: 1 }).limit(100).explain("executionStats");
    const { executionStats } = explained as { executionStats: { totalKeysExamined: number } };
    expect(JSON.stringify(executionStats)).not.toContain('"SORT"');
    expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(expected + 1);
  }
});
