import { createHash } from "node:crypto";
import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo, type Mongo, migrate } from "@asset-register/mongo";
import { conflict, createLogger, unavailable } from "@asset-register/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Blobs, blobMigration, createBlobSweep, createBlobs, type S3Settings } from "../src/index.ts";

const logger = createLogger({ service: "blobs-test", level: "silent" });
const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const WORKSPACE = "wsp_1";

export async function* contentOf(bytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += 64 * 1024) {
    yield Buffer.alloc(Math.min(64 * 1024, bytes - sent), sent % 251);
  }
}

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function digestOf(
  content: AsyncIterable<Uint8Array>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Connects to a new database with the collections of the store. */
export async function connectFresh(): Promise<Mongo> {
  const mongo = await connectMongo({ url: testServers().mongoUrl, database: freshDatabase(), logger });
  await migrate(mongo, [blobMigration], logger);
  return mongo;
}

/** The tests that every store must pass. `remaining` lists the objects of the workspace in the store itself. */
export function blobTests(given: {
  s3(): S3Settings | undefined;
  remaining(mongo: Mongo): Promise<number>;
}): void {
  let mongo: Mongo;
  let blobs: Blobs;
  let at = new Date();
  const now = () => at;

  beforeAll(async () => {
    mongo = await connectFresh();
    blobs = await createBlobs({ mongo, s3: given.s3(), now });
  });
  afterAll(async () => {
    blobs?.close();
    await mongo?.close();
  });

  const rows = () => mongo.collection("files").countDocuments({ workspaceId: WORKSPACE });
  it.each([0, 1, 261_120, 261_121, 600_000, 700_000])("content is read from byte %i on", async (from) => {
    const { id } = await blobs.put(WORKSPACE, contentOf(600_000));
    const opened = await blobs.open(WORKSPACE, id, from);
    const whole = await bytesOf(contentOf(600_000));
    const rest = await bytesOf(opened?.content ?? expect.fail("no content"));
    expect(rest.equals(whole.subarray(from))).toBe(true);
    await blobs.remove(WORKSPACE, id);
  });

  const sweepOf = (referenced: string[]) =>
    createBlobSweep({ mongo, blobs, referenced: async () => referenced, logger, now });

  it.each([0, 1, 255 * 1024, 255 * 1024 + 1, 12 * MIB + 7])(
    "%i bytes are read as they were stored",
    async (bytes) => {
      const expected = await digestOf(contentOf(bytes));
      const stored = await blobs.put(WORKSPACE, contentOf(bytes));
      expect(stored).toEqual({ id: expect.stringMatching(/^blb_/), ...expected });
      const opened = await blobs.open(WORKSPACE, stored.id);
      expect(opened).toMatchObject(expected);
      expect(await digestOf(opened?.content ?? contentOf(0))).toEqual(expected);
      await blobs.remove(WORKSPACE, stored.id);
      expect(await blobs.open(WORKSPACE, stored.id)).toBeUndefined();
      expect([await rows(), await given.remaining(mongo)]).toEqual([0, 0]);
      await blobs.remove(WORKSPACE, stored.id);
    },
  );

  it("another workspace can neither open nor remove a blob", async () => {
    const { id } = await blobs.put(WORKSPACE, contentOf(10));
    expect(await blobs.open("wsp_2", id)).toBeUndefined();
    await blobs.remove("wsp_2", id);
    expect(await blobs.open(WORKSPACE, id)).toMatchObject({ bytes: 10 });
    await blobs.remove(WORKSPACE, id);
  });

  it("content that breaks off leaves nothing behind", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* contentOf(7 * MIB);
      throw new Error("broken off");
    }
    await expect(blobs.put(WORKSPACE, broken())).rejects.toThrow("broken off");
    expect([await rows(), await given.remaining(mongo)]).toEqual([0, 0]);
  });

  it("the sweep keeps content that arrives for longer than an hour, and an upload without its row fails", async () => {
    const sweep = sweepOf([]);
    async function* slow(between: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
      for (let quarter = 0; quarter < 6; quarter += 1) {
        yield Buffer.alloc(MIB, quarter);
        at = new Date(at.getTime() + HOUR_MS / 4);
        await between();
      }
    }
    const { id } = await blobs.put(
      WORKSPACE,
      slow(() => sweep.run()),
    );
    expect(await digestOf((await blobs.open(WORKSPACE, id))?.content ?? contentOf(0))).toMatchObject({
      bytes: 6 * MIB,
    });
    at = new Date(at.getTime() + HOUR_MS);
    expect(await sweep.run()).toBe(1);
    const removed = blobs.put(
      WORKSPACE,
      slow(() => mongo.collection("files").deleteMany({ workspaceId: WORKSPACE })),
    );
    await expect(removed).rejects.toMatchObject({ kind: "unavailable" });
    expect([await rows(), await given.remaining(mongo)]).toEqual([0, 0]);
  });

  it("a record that is refused removes its blob; with an unknown outcome the blob stays for the sweep", async () => {
    const refused = blobs.putFor(WORKSPACE, contentOf(10), async () => {
      throw conflict("RULE", "no", [{ field: "asset_id", message: "ast_1" }]);
    });
    await expect(refused).rejects.toMatchObject({ code: "RULE" });
    expect(await rows()).toBe(0);
    const unknown = blobs.putFor(WORKSPACE, contentOf(10), async () => {
      throw unavailable();
    });
    await expect(unknown).rejects.toMatchObject({ kind: "unavailable" });
    expect(await rows()).toBe(1);
    at = new Date(at.getTime() + HOUR_MS);
    expect(await sweepOf([]).run()).toBe(1);
    expect([await rows(), await given.remaining(mongo)]).toEqual([0, 0]);
  });

  it("the sweep removes blobs without a record after an hour, and looks at the others again after a day", async () => {
    const kept = await blobs.put(WORKSPACE, contentOf(10));
    const lost = await blobs.put(WORKSPACE, contentOf(10));
    const foreign = await blobs.put("wsp_2", contentOf(10));
    expect(await sweepOf([]).run()).toBe(0);
    at = new Date(at.getTime() + HOUR_MS);
    expect(await sweepOf([kept.id, foreign.id]).run()).toBe(1);
    expect(await blobs.open(WORKSPACE, lost.id)).toBeUndefined();
    expect(await blobs.open(WORKSPACE, kept.id)).toBeDefined();
    at = new Date(at.getTime() + HOUR_MS);
    expect(await sweepOf([]).run()).toBe(0);
    at = new Date(at.getTime() + 23 * HOUR_MS);
    expect(await sweepOf([]).run()).toBe(2);
    expect([await rows(), await given.remaining(mongo)]).toEqual([0, 0]);
  });

  it("the sweep removes no blob that was renewed since it asked, and a record of one that it removes is not saved", async () => {
    const renewed = blobs.putFor(WORKSPACE, contentOf(10), async ({ id }, renew) => {
      at = new Date(at.getTime() + HOUR_MS);
      const referenced = async () => {
        await renew();
        return [];
      };
      expect(await createBlobSweep({ mongo, blobs, referenced, logger, now }).run()).toBe(0);
      return id;
    });
    expect(await blobs.open(WORKSPACE, await renewed)).toBeDefined();
    await blobs.remove(WORKSPACE, await renewed);

    const unavailableStore = { remove: () => Promise.reject(unavailable()) };
    const removed = blobs.putFor(WORKSPACE, contentOf(10), async (_, renew) => {
      at = new Date(at.getTime() + HOUR_MS);
      const sweep = createBlobSweep({
        mongo,
        blobs: unavailableStore,
        referenced: async () => [],
        logger,
        now,
      });
      expect(await sweep.run()).toBe(0);
      await renew();
      expect.fail("the record is saved");
    });
    await expect(removed).rejects.toMatchObject({ kind: "unavailable" });
    at = new Date(at.getTime() + HOUR_MS);
    // It does not ask again for a blob that it had begun to remove.
    const referenced = () => expect.fail("asked again");
    expect(await createBlobSweep({ mongo, blobs, referenced, logger, now }).run()).toBe(1);
    expect([await rows(), await given.remaining(mongo)]).toEqual([0, 0]);
  });

  it("the sweep looks at blobs that are older than a month once a week", async () => {
    const { id } = await blobs.put(WORKSPACE, contentOf(10));
    const wait = (days: number): void => {
      at = new Date(at.getTime() + days * 24 * HOUR_MS);
    };
    wait(31);
    await sweepOf([id]).run();
    wait(6);
    expect(await sweepOf([]).run()).toBe(0);
    wait(2.1);
    expect(await sweepOf([]).run()).toBe(1);
  });
}
