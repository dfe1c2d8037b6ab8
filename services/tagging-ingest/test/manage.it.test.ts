import { republishAll } from "@asset-register/events";
import { eventually, testServers } from "@asset-register/harness";
import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { ReaderKind, ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { createRedis } from "@asset-register/redis";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { republish } from "../src/republish.ts";
import { versionKey } from "../src/store/credential-versions.ts";
import {
  failure,
  logger,
  newAsset,
  newEpc,
  newReader,
  newWorkspace,
  signedEvent,
  startNeighbours,
  startTagging,
  type Tagging,
  taggedAsset,
} from "./support.ts";

let tagging: Tagging;
let neighbours: Awaited<ReturnType<typeof startNeighbours>>;

beforeAll(async () => {
  tagging = await startTagging();
  neighbours = await startNeighbours(tagging);
});
afterAll(async () => {
  await neighbours.close();
  await tagging.stop();
});

const byEpc = (value: string) => ({ identifier: { case: "epc" as const, value } });
const byCode = (value: string) => ({ identifier: { case: "code" as const, value } });

describe("readers and zones", () => {
  it("shows a reader's secret once, stores it encrypted, and publishes the reader without it", async () => {
    const workspace = newWorkspace();
    const reader = await newReader(tagging, workspace);
    expect(reader.secret).toMatch(/^rdsec_[0-9A-Za-z]{43}$/);
    const stored = await tagging.mongo
      .collection("readers")
      .findOne({ workspaceId: workspace.id, _id: reader.id });
    expect(JSON.stringify(stored)).not.toContain(reader.secret);
    const { reader: read } = await tagging.readers.getReader({ id: reader.id }, workspace.caller);
    expect(read).toMatchObject({ name: "Gate", status: ReaderStatus.ACTIVE, rev: 1n });
    await eventually(() => expect(neighbours.published.reader.of(reader.id)).toHaveLength(1));
  });

  it("keeps a reader's version of secrets while another workspace tries to rotate or revoke them", async () => {
    const workspace = newWorkspace();
    const reader = await newReader(tagging, workspace);
    await tagging.ingest.ingestSignedEvents({
      events: [signedEvent(workspace, reader, newEpc(), new Date())],
    });
    const redis = createRedis({ url: testServers().redisUrl, timeoutMs: 5_000, logger });
    await redis.connect();
    const stranger = newWorkspace().caller;
    for (const tried of [tagging.readers.rotateReaderSecret, tagging.readers.revokeReader]) {
      expect(await failure(tried({ id: reader.id }, stranger))).toMatchObject({ kind: "not_found" });
    }
    expect(await redis.get(versionKey(reader.id))).toBe("1");
    redis.disconnect();
  });

  it("replays a keyed creation with the same secret, so that a lost answer loses no reader", async () => {
    const workspace = newWorkspace();
    const fields = { name: "Gate", kind: ReaderKind.PHONE };
    const keyed = { ...workspace.caller, idempotencyKey: "once" };
    const first = await tagging.readers.createReader(fields, keyed);
    const second = await tagging.readers.createReader(fields, keyed);
    expect(second.secret).toBe(first.secret);
    const { page } = await tagging.readers.listReaders({}, workspace.caller);
    expect(page?.total).toBe(1n);
  });

  it("puts readers into a zone and takes them off the one before", async () => {
    const workspace = newWorkspace();
    tagging.register.locations.add(`${workspace.id}:loc_1`);
    const reader = await newReader(tagging, workspace);
    const fields = { name: "Hall", locationIds: ["loc_1"], readerIds: [reader.id] };
    const first = await tagging.zones.createZone(fields, workspace.caller);
    const second = await tagging.zones.createZone({ ...fields, name: "Yard" }, workspace.caller);
    const { zones } = await tagging.zones.listZones({}, workspace.caller);
    expect(zones.map(({ id, readerIds }) => [id, readerIds])).toEqual([
      [first.zone?.id, []],
      [second.zone?.id, [reader.id]],
    ]);
    const { reader: moved } = await tagging.readers.getReader({ id: reader.id }, workspace.caller);
    expect(moved?.zoneId).toBe(second.zone?.id);
  });

  it("refuses locations, readers and zones that are not the workspace's", async () => {
    const [workspace, other] = [newWorkspace(), newWorkspace()];
    const foreign = await newReader(tagging, other);
    const { id: own } = await newReader(tagging, workspace);
    const zone = { name: "Hall", locationIds: [], readerIds: [] };
    const create = (more: object) =>
      failure(tagging.zones.createZone({ ...zone, ...more }, workspace.caller));
    expect(await create({ locationIds: ["loc_9"] })).toMatchObject({
      ...{ kind: "not_found", violations: [{ field: "location_ids.0" }] },
    });
    expect(await create({ readerIds: [own, own, foreign.id] })).toMatchObject({
      ...{ kind: "not_found", violations: [{ field: "reader_ids.2" }] },
    });
    expect(await create({ name: " " })).toMatchObject({ code: "VALIDATION_FAILED" });
    const read = tagging.readers.getReader({ id: foreign.id }, workspace.caller);
    expect(await failure(read)).toMatchObject({ kind: "not_found" });
  });
});

describe("commissioning", () => {
  it("binds once, answers the same binding again, and refuses another asset", async () => {
    const workspace = newWorkspace();
    const { assetId, epc, tagId } = await taggedAsset(tagging, workspace);
    const again = await tagging.tags.commissionTag(
      { ...byEpc(epc.toLowerCase()), assetId },
      workspace.caller,
    );
    expect(again).toMatchObject({ created: false, tag: { id: tagId, type: TagType.RFID, rev: 1n } });
    const other = newAsset(tagging.register, workspace);
    const bound = tagging.tags.commissionTag({ ...byEpc(epc), assetId: other }, workspace.caller);
    expect(await failure(bound)).toMatchObject({ kind: "conflict", code: "TAG_ALREADY_BOUND" });
    await eventually(() => expect(neighbours.published.tag.of(tagId)).toHaveLength(1));
  });

  it("lets one of many win that bind one tag to different assets at once", async () => {
    const workspace = newWorkspace();
    const epc = newEpc();
    const attempts = Array.from({ length: 8 }, () => {
      const assetId = newAsset(tagging.register, workspace);
      return failure(tagging.tags.commissionTag({ ...byEpc(epc), assetId }, workspace.caller));
    });
    const codes = (await Promise.all(attempts)).map((error) => error?.code ?? "bound");
    expect(codes.sort()).toEqual([...Array(7).fill("TAG_ALREADY_BOUND"), "bound"]);
    const { page } = await tagging.tags.listTags({ assigned: true }, workspace.caller);
    expect(page?.total).toBe(1n);
  });

  it("takes the same code in two workspaces for two tags", async () => {
    for (const workspace of [newWorkspace(), newWorkspace()]) {
      const assetId = newAsset(tagging.register, workspace);
      const made = await tagging.tags.commissionTag({ ...byCode("AST-1"), assetId }, workspace.caller);
      expect(made).toMatchObject({ created: true, tag: { type: TagType.QR, code: "AST-1" } });
    }
  });

  it("refuses assets that don't exist or are archived, and identifiers that are none", async () => {
    const workspace = newWorkspace();
    const assetId = newAsset(tagging.register, workspace);
    const commission = (init: object) => failure(tagging.tags.commissionTag(init, workspace.caller));
    expect(await commission({ ...byCode("X"), assetId: "ast_none" })).toMatchObject({ kind: "not_found" });
    expect(await commission({ ...byEpc("xyz"), assetId })).toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await commission({ assetId })).toMatchObject({ code: "VALIDATION_FAILED" });
    tagging.register.assets.set(`${workspace.id}:${assetId}`, { archived: true });
    expect(await commission({ ...byCode("X"), assetId })).toMatchObject({ code: "CONFLICT" });
  });

  it("frees the tags of an asset that is disposed, and takes none for it any more", async () => {
    const workspace = newWorkspace();
    const { assetId, tagId } = await taggedAsset(tagging, workspace);
    await neighbours.publish({
      topic: topics.asset,
      workspaceId: workspace.id,
      subject: assetId,
      sequence: 2,
      type: "asset.updated",
      // The disposal's own event may be compacted away: its state says it for ever.
      message: {
        state: { id: assetId, disposedAt: timestampFromDate(new Date()) },
        statusClass: StatusClass.ARCHIVED,
        change: { case: "updated", value: {} },
      },
      time: new Date(),
    });
    await eventually(() => {
      expect(neighbours.published.tag.of(tagId).at(-1)).toMatchObject({ type: "tag.decommissioned" });
    });
    const { tags } = await tagging.tags.listTags({ assigned: false }, workspace.caller);
    expect(tags).toMatchObject([{ id: tagId, assetId: "" }]);
    const again = tagging.tags.commissionTag({ ...byCode("Y"), assetId }, workspace.caller);
    expect(await failure(again)).toMatchObject({ code: "CONFLICT" });
  });
});

it("tells other services which zones exist in a workspace", async () => {
  const [workspace, other] = [newWorkspace(), newWorkspace()];
  const { zone } = await tagging.zones.createZone({ name: "Hall" }, workspace.caller);
  const ask = ({ id }: typeof workspace, zoneIds: string[]) =>
    tagging.zoneDirectory.resolveZones({ workspaceId: id, zoneIds });
  const own = zone?.id ?? "";
  expect(await ask(workspace, [own, "zon_none"])).toMatchObject({ existingIds: [own] });
  expect(await ask(other, [own])).toMatchObject({ existingIds: [] });
  expect(await failure(ask({ ...workspace, id: "" }, [own]))).toMatchObject({ code: "VALIDATION_FAILED" });
});

it("sends its current state again under an epoch that overrides what consumers have seen", async () => {
  const workspace = newWorkspace();
  const { tagId } = await taggedAsset(tagging, workspace);
  const reader = await newReader(tagging, workspace);
  const zone = await tagging.zones.createZone({ name: "Hall", readerIds: [reader.id] }, workspace.caller);
  const published = { tag: tagId, reader: reader.id, zone: zone.zone?.id ?? "" };
  for (const name of ["tag", "reader", "zone"] as const) {
    const send = republish[topics[name].name];
    if (send === undefined) throw new Error(`${name} can't be sent again`);
    const { epoch, written } = await republishAll(tagging.mongo, send, { workspaceId: workspace.id });
    expect(written).toBe(1);
    await eventually(() => {
      const last = neighbours.published[name].of(published[name]).at(-1);
      expect(last).toMatchObject({ epoch, message: { state: { id: published[name] } } });
    });
  }
});
