import { republishAll } from "@asset-register/events";
import { eventually, testServers } from "@asset-register/harness";
import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { NameService } from "@asset-register/proto/assetregister/tagging_ingest/v1/name_pb";
import { ReaderKind, ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { createRedis } from "@asset-register/redis";
import { createLogger } from "@asset-register/runtime";
import { type Caller, caller, codeOf, failure, inAnotherSession } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { republish } from "../../src/republish.ts";
import { versionKey } from "../../src/store/ingest/ingest-key.ts";
import { sharedTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import { byCode, byEpc } from "../test-workspace.ts";

const tagging = await sharedTagging();

describe("readers and zones", () => {
  it("a new reader: its secret is returned once, stored encrypted and never published", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    expect(reader.secret).toMatch(/^rdsec_[0-9A-Za-z]{43}$/);
    const stored = await tagging.mongo
      .collection("readers")
      .findOne({ workspaceId: workspace.id, _id: reader.id });
    expect(JSON.stringify(stored)).not.toContain(reader.secret);
    const { reader: read } = await tagging.readers.getReader({ id: reader.id }, workspace.admin);
    expect(read).toMatchObject({ name: "Gate", status: ReaderStatus.ACTIVE, rev: 1 });
    await eventually(() => expect(tagging.recorded.reader.of(reader.id)).toHaveLength(1));
  });

  it("rotating or revoking from another workspace fails and leaves the version of the secrets as it is", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    await tagging.sendEvents(reader.signedEvent());
    const redis = createRedis({
      url: testServers().redisUrl,
      timeoutMs: 5_000,
      logger: createLogger({ service: "test", level: "error" }),
    });
    await redis.connect();
    const stranger = tagging.newWorkspace().admin;
    for (const tried of [tagging.readers.rotateReaderSecret, tagging.readers.revokeReader]) {
      expect(await failure(tried({ id: reader.id }, stranger))).toMatchObject({ kind: "not_found" });
    }
    expect(await redis.get(versionKey(workspace.id, reader.id))).toBe("1");
    redis.disconnect();
  });

  it("creating a reader again with the same Idempotency-Key returns the same secret", async () => {
    const workspace = tagging.newWorkspace();
    const fields = { name: "Gate", kind: ReaderKind.PHONE };
    const keyed = { ...workspace.admin, idempotencyKey: "once" };
    const first = await tagging.readers.createReader(fields, keyed);
    const second = await tagging.readers.createReader(fields, keyed);
    expect(second.secret).toBe(first.secret);
    const { page } = await tagging.readers.listReaders({}, workspace.admin);
    expect(page?.total).toBe(1);
  });

  it("a repeat shows the secret of a reader to the same session only, until its overlap ends or it is revoked", async () => {
    const { admin } = tagging.newWorkspace();
    const fields = { name: "Gate", kind: ReaderKind.PHONE };
    const create = (as: Caller) => tagging.readers.createReader(fields, { ...as, idempotencyKey: "create" });
    const id = (await create(admin)).reader?.id ?? "";
    const rotate = () =>
      tagging.readers.rotateReaderSecret({ id, overlapSeconds: 0 }, { ...admin, idempotencyKey: "rotate" });
    expect(await codeOf(create(inAnotherSession(admin)))).toBe("CONFLICT");
    const rotated = await rotate();
    expect(await codeOf(create(admin))).toBe("CONFLICT");
    expect(await rotate()).toEqual(rotated);
    await tagging.readers.revokeReader({ id }, admin);
    expect(await codeOf(rotate())).toBe("CONFLICT");
  });

  it("a new zone gets its readers, and they leave the zone before", async () => {
    const workspace = tagging.newWorkspace();
    workspace.addLocations("loc_1");
    const reader = await workspace.newReader();
    const fields = { name: "Hall", locationIds: ["loc_1"], readerIds: [reader.id] };
    const first = await tagging.zones.createZone(fields, workspace.admin);
    const second = await tagging.zones.createZone({ ...fields, name: "Yard" }, workspace.admin);
    const { zones } = await tagging.zones.listZones({}, workspace.admin);
    expect(zones.map(({ id, readerIds }) => [id, readerIds])).toEqual([
      [first.zone?.id, []],
      [second.zone?.id, [reader.id]],
    ]);
    const { reader: moved } = await tagging.readers.getReader({ id: reader.id }, workspace.admin);
    expect(moved?.zoneId).toBe(second.zone?.id);
  });

  it("locations, readers and zones of another workspace are not found", async () => {
    const [workspace, other] = [tagging.newWorkspace(), tagging.newWorkspace()];
    const foreign = await other.newReader();
    const { id: own } = await workspace.newReader();
    const zone = { name: "Hall", locationIds: [], readerIds: [] };
    const create = (more: object) => failure(tagging.zones.createZone({ ...zone, ...more }, workspace.admin));
    expect(await create({ locationIds: ["loc_9"] })).toMatchObject({
      ...{ kind: "not_found", violations: [{ field: "location_ids.0" }] },
    });
    expect(await create({ readerIds: [own, own, foreign.id] })).toMatchObject({
      ...{ kind: "not_found", violations: [{ field: "reader_ids.2" }] },
    });
    expect(await create({ name: " " })).toMatchObject({ code: "VALIDATION_FAILED" });
    const read = tagging.readers.getReader({ id: foreign.id }, workspace.admin);
    expect(await failure(read)).toMatchObject({ kind: "not_found" });
  });
});

describe("commissioning", () => {
  it("the same binding again changes nothing; a binding to another asset gets TAG_ALREADY_BOUND", async () => {
    const workspace = tagging.newWorkspace();
    const { assetId, epc, tagId } = await workspace.taggedAsset();
    const again = await tagging.tags.commissionTag({ ...byEpc(epc.toLowerCase()), assetId }, workspace.admin);
    expect(again).toMatchObject({ created: false, tag: { id: tagId, type: TagType.RFID, rev: 1 } });
    const other = workspace.newAsset();
    const bound = tagging.tags.commissionTag({ ...byEpc(epc), assetId: other }, workspace.admin);
    expect(await failure(bound)).toMatchObject({ kind: "conflict", code: "TAG_ALREADY_BOUND" });
    await eventually(() => expect(tagging.recorded.tag.of(tagId)).toHaveLength(1));
  });

  it("concurrent bindings of one tag to different assets: one succeeds, the others get TAG_ALREADY_BOUND", async () => {
    const workspace = tagging.newWorkspace();
    const epc = newEpc();
    const attempts = Array.from({ length: 8 }, () => {
      const assetId = workspace.newAsset();
      return failure(tagging.tags.commissionTag({ ...byEpc(epc), assetId }, workspace.admin));
    });
    const codes = (await Promise.all(attempts)).map((error) => error?.code ?? "bound");
    expect(codes.sort()).toEqual([...Array(7).fill("TAG_ALREADY_BOUND"), "bound"]);
    const { page } = await tagging.tags.listTags({ assigned: true }, workspace.admin);
    expect(page?.total).toBe(1);
  });

  it("the same code in two workspaces is two tags", async () => {
    for (const workspace of [tagging.newWorkspace(), tagging.newWorkspace()]) {
      const assetId = workspace.newAsset();
      const made = await tagging.tags.commissionTag({ ...byCode("AST-1"), assetId }, workspace.admin);
      expect(made).toMatchObject({ created: true, tag: { type: TagType.QR, code: "AST-1" } });
    }
  });

  it("assets that do not exist or are archived, and invalid identifiers, are refused", async () => {
    const workspace = tagging.newWorkspace();
    const assetId = workspace.newAsset();
    const commission = (init: object) => failure(tagging.tags.commissionTag(init, workspace.admin));
    expect(await commission({ ...byCode("X"), assetId: "ast_none" })).toMatchObject({ kind: "not_found" });
    expect(await commission({ ...byEpc("xyz"), assetId })).toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await commission({ assetId })).toMatchObject({ code: "VALIDATION_FAILED" });
    tagging.register.archived.add(workspace.id, assetId);
    expect(await commission({ ...byCode("X"), assetId })).toMatchObject({ code: "ASSET_TAKES_NO_TAG" });
  });

  it("the tags of a disposed asset are freed, and it takes no tag any more", async () => {
    const workspace = tagging.newWorkspace();
    const { assetId, tagId } = await workspace.taggedAsset();
    await tagging.publish({
      topic: topics.asset,
      workspaceId: workspace.id,
      subject: assetId,
      sequence: 2,
      type: "asset.updated",
      // Compaction may remove the event of the disposal. The state keeps it.
      message: {
        state: { id: assetId, disposed: { at: timestampFromDate(new Date()) } },
        statusClass: StatusClass.ARCHIVED,
        change: { case: "updated", value: {} },
      },
      time: new Date(),
    });
    await eventually(() => {
      expect(tagging.recorded.tag.of(tagId).at(-1)).toMatchObject({ type: "tag.decommissioned" });
    });
    const { tags } = await tagging.tags.listTags({ assigned: false }, workspace.admin);
    expect(tags.map(({ id, assetId: bound }) => [id, bound])).toEqual([[tagId, undefined]]);
    const again = tagging.tags.commissionTag({ ...byCode("Y"), assetId }, workspace.admin);
    expect(await failure(again)).toMatchObject({ code: "ASSET_TAKES_NO_TAG" });
  });
});

it("other services can ask which zones exist in a workspace", async () => {
  const [workspace, other] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const { zone } = await tagging.zones.createZone({ name: "Hall" }, workspace.admin);
  const ask = ({ id }: typeof workspace, zoneIds: string[]) =>
    tagging.zoneDirectory.resolveZones({ workspaceId: id, zoneIds });
  const own = zone?.id ?? "";
  expect(await ask(workspace, [own, "zon_none"])).toMatchObject({ existingIds: [own] });
  expect(await ask(other, [own])).toMatchObject({ existingIds: [] });
  expect(await failure(ask({ ...workspace, id: "" }, [own]))).toMatchObject({ code: "VALIDATION_FAILED" });
});

it("names: every user may resolve those of zones and readers of the workspace, deleted and revoked ones too", async () => {
  const [workspace, other] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const { zone: kept } = await tagging.zones.createZone({ name: "Hall" }, workspace.admin);
  const { zone: gone } = await tagging.zones.createZone({ name: "Old hall" }, workspace.admin);
  const reader = await workspace.newReader();
  await tagging.zones.deleteZone({ id: gone?.id }, workspace.admin);
  await tagging.readers.revokeReader({ id: reader.id }, workspace.admin);
  const names = tagging.client(NameService);
  const ids = [kept?.id ?? "", gone?.id ?? "", reader.id];
  const { records } = await names.resolveNames(
    { ids: [...ids, ...ids, "zon_none", "rdr_none"] },
    caller.user(workspace.id),
  );
  expect(Object.fromEntries(records.map(({ id, name }) => [id, name]))).toEqual({
    [ids[0]!]: "Hall",
    [ids[1]!]: "Old hall",
    [ids[2]!]: "Gate",
  });
  expect(records).toHaveLength(3);
  expect((await names.resolveNames({ ids }, other.admin)).records).toEqual([]);
  const many = { ids: Array.from({ length: 1001 }, (_, index) => `zon_${index}`) };
  expect(await codeOf(names.resolveNames(many, workspace.admin))).toBe("VALIDATION_FAILED");
});

it("republishing sends the present state with an epoch that overrides earlier events", async () => {
  const workspace = tagging.newWorkspace();
  const { tagId } = await workspace.taggedAsset();
  const reader = await workspace.newReader();
  const zone = await tagging.zones.createZone({ name: "Hall", readerIds: [reader.id] }, workspace.admin);
  const published = { tag: tagId, reader: reader.id, zone: zone.zone?.id ?? "" };
  for (const name of ["tag", "reader", "zone"] as const) {
    const send = republish[topics[name].name];
    if (send === undefined) throw new Error(`${name} can't be republished`);
    const { epoch, written } = await republishAll(tagging.mongo, send, { workspaceId: workspace.id });
    expect(written).toBe(1);
    await eventually(() => {
      const last = tagging.recorded[name].of(published[name]).at(-1);
      const type = `${name}.republished`;
      expect(last).toMatchObject({ type, epoch, message: { state: { id: published[name] } } });
    });
  }
});
