import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { eventually } from "@asset-register/harness";
import { AssetImageService } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { HistoryAction } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { type caller, codeOf } from "@asset-register/service-harness";
import { beforeAll, expect, test } from "vitest";
import { type RunningRegister, seedWorkspace, sharedRegister } from "../support.ts";
import { download } from "./image-support.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const MIB = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

async function* png(bytes: number, fill = 0): AsyncGenerator<Uint8Array> {
  yield PNG;
  for (let left = bytes - PNG.length; left > 0; left -= MIB) yield Buffer.alloc(Math.min(left, MIB), fill);
}

let register: RunningRegister;
let workspaceId: string;
let admin: ReturnType<typeof caller.user>;
beforeAll(async () => {
  register = await sharedRegister();
  ({ admin, id: workspaceId } = await seedWorkspace(register));
});

const images = () => register.client(AssetImageService);
const stored = async () => {
  const of = (name: string) => register.mongo.collection(name).countDocuments({ workspaceId });
  return { files: await of("files"), chunks: await of("chunks") };
};

async function newAsset() {
  const { asset } = await register.assets.createAsset({ asset: { name: "Drill" } }, admin);
  return asset!;
}

test("an image is stored, read, replaced and removed, with rev, history and nothing left behind", async () => {
  const { id } = await newAsset();
  const before = await stored();
  const { asset } = await images().setImage({ id }, png(700_000), admin);
  expect(asset).toMatchObject({ rev: 2, image: { contentType: "image/png", bytes: 700_000 } });
  const read = await download(images(), { admin }, id);
  expect(read.type).toBe("image/png");
  expect(read.content.length).toBe(700_000);

  const second = await images().setImage({ id }, png(10, 7), { ...admin, ifRevIn: [2] });
  expect(second.asset).toMatchObject({ rev: 3, image: { bytes: 10 } });
  expect(await stored()).toEqual({ files: before.files + 1, chunks: before.chunks + 1 });

  await images().removeImage({ id }, { ...admin, ifRevIn: [3] });
  expect(await stored()).toEqual(before);
  expect(await codeOf(download(images(), { admin }, id))).toBe("NOT_FOUND");
  expect(await codeOf(images().removeImage({ id }, admin))).toBe("NOT_FOUND");
  const { entries } = await register.assets.listHistory({ assetId: id }, admin);
  const rows = entries.filter(({ action }) => action === HistoryAction.UPDATED);
  expect(rows.map(({ changes }) => changes.map(({ field }) => field))).toEqual([
    ["image"],
    ["image"],
    ["image"],
  ]);
});

test("content that is no image, a foreign asset and a stale rev are refused, and leave no blob", async () => {
  const { id } = await newAsset();
  const before = await stored();
  async function* page(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("<html>".repeat(50_000));
  }
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  expect(await codeOf(images().setImage({ id }, page(), admin))).toBe("UNSUPPORTED_MEDIA_TYPE");
  expect(await codeOf(images().setImage({ id }, nothing(), admin))).toBe("UNSUPPORTED_MEDIA_TYPE");
  expect(await codeOf(images().setImage({ id }, png(100), { ...admin, ifRevIn: [9] }))).toBe(
    "PRECONDITION_FAILED",
  );
  const stranger = await seedWorkspace(register);
  expect(await codeOf(images().setImage({ id }, png(100), stranger.admin))).toBe("NOT_FOUND");
  const call = images().removeImage({ id }, stranger.admin);
  expect(await codeOf(call)).toBe("NOT_FOUND");
  expect(await stored()).toEqual(before);
});

test("an upload that breaks off leaves no blob and no record", async () => {
  const { id } = await newAsset();
  const before = await stored();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* png(3 * MIB);
    throw new Error("broken off");
  }
  await expect(images().setImage({ id }, broken(), admin)).rejects.toThrow();
  await eventually(async () => expect(await stored()).toEqual(before));
  expect((await register.assets.getAsset({ id }, admin)).asset).toMatchObject({ rev: 1 });
});

test("a repeat under the same Idempotency-Key has one effect; other content under it is refused", async () => {
  const { id } = await newAsset();
  const keyed = { ...admin, idempotencyKey: "image 1" };
  const first = await images().setImage({ id }, png(500_000), keyed);
  const after = await stored();
  expect(await images().setImage({ id }, png(500_000), keyed)).toEqual(first);
  expect(await codeOf(images().setImage({ id }, png(500_000, 1), keyed))).toBe("IDEMPOTENCY_KEY_REUSED");
  expect(await stored()).toEqual(after);
  expect((await register.assets.getAsset({ id }, admin)).asset).toMatchObject({ rev: 2 });
});

test("repeats at once under one key have one effect and leave one blob", async () => {
  const { id } = await newAsset();
  const before = await stored();
  const keyed = { ...admin, idempotencyKey: "image 2" };
  const answers = await Promise.all([1, 2, 3].map(() => images().setImage({ id }, png(1000), keyed)));
  expect(new Set(answers.map(({ asset }) => asset?.rev))).toEqual(new Set([2]));
  expect(await stored()).toEqual({ files: before.files + 1, chunks: before.chunks + 1 });
});

test("two uploads at once with the same If-Match: one wins, and the blob of the other is removed", async () => {
  const { id } = await newAsset();
  const before = await stored();
  const codes = await Promise.all(
    [1, 2].map((fill) => codeOf(images().setImage({ id }, png(300_000, fill), { ...admin, ifRevIn: [1] }))),
  );
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(codes.filter(Boolean)).toEqual([expect.stringMatching(/^(PRECONDITION_FAILED|CONFLICT)$/)]);
  const { files, chunks } = await stored();
  expect([files - before.files, chunks - before.chunks]).toEqual([1, 2]);
  expect((await download(images(), { admin }, id)).content.length).toBe(300_000);
});

/** The memory in use, with garbage. */
function bytesInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const MAX_GROWTH = 10 * MIB;

/**
 * By how much the memory in use has grown since `start`, without garbage if it would be too much with it: a collection of
 * the heap of a worker takes long. Twice, because the first collection only begins to free buffers.
 */
function growth(start: number): number {
  for (let collection = 1; collection <= 2 && bytesInUse() - start >= MAX_GROWTH; collection += 1) {
    collectGarbage();
  }
  return bytesInUse() - start;
}

test("32 MiB pass through the RPC and the store with flat memory, in both directions", async () => {
  const { id } = await newAsset();
  const size = 32 * MIB;
  const options = { ...admin, deadlineMs: 120_000 };
  collectGarbage();
  collectGarbage();
  const start = bytesInUse();
  const grown: number[] = [];
  const observe = () => grown.push(growth(start));
  async function* observed(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const chunk of png(size)) {
      yield chunk;
      sent += 1;
      if (sent % 8 === 0) observe();
    }
  }
  await images().setImage({ id }, observed(), options);
  let read = 0;
  for await (const { part } of images().getImage({ id }, options)) {
    if (part.case === "chunk") read += part.value.length;
    if (read % (8 * MIB) !== 0) continue;
    // Meanwhile the server could send all of it.
    for (let call = 0; call < 20; call += 1) await register.assets.getAsset({ id }, admin);
    observe();
  }
  expect(read).toBe(size);
  expect(grown).toHaveLength(4 + 5);
  expect(Math.max(...grown)).toBeLessThan(MAX_GROWTH);
  await images().removeImage({ id }, admin);
});
