import type { Mongo, TenantDocument } from "@asset-register/mongo";
import { inChunks } from "@asset-register/runtime";
import type { Contents, Place } from "./contents.ts";

/** `_id` is the id of the file, a dot and `n`. */
type Chunk = TenantDocument & { fileId: string; n: number; data: Uint8Array };

/** Like GridFS: with its other fields a chunk is less than 256 KiB. */
const CHUNK_BYTES = 255 * 1024;
/** Chunks of one insert, and of one batch of a read: 1 MiB. */
const TOGETHER = 4;

/** Stores content in the collection `chunks` of the database. */
export function createMongoContents(mongo: Mongo): Contents {
  const chunks = mongo.collection<Chunk>("chunks");

  async function write({ workspaceId, id }: Place, content: AsyncIterable<Uint8Array>): Promise<void> {
    let n = 0;
    let waiting: Chunk[] = [];
    for await (const data of inChunks(content, CHUNK_BYTES)) {
      waiting.push({ _id: `${id}.${n}`, workspaceId, fileId: id, n, data });
      n += 1;
      if (waiting.length < TOGETHER) continue;
      await chunks.insertMany(waiting);
      waiting = [];
    }
    if (waiting.length > 0) await chunks.insertMany(waiting);
  }

  async function* read({ workspaceId, id }: Place, from: number): AsyncGenerator<Uint8Array> {
    const first = Math.floor(from / CHUNK_BYTES);
    const found = chunks.find(
      { workspaceId, fileId: id, n: { $gte: first } },
      { sort: { n: 1 }, batchSize: TOGETHER, promoteBuffers: true, projection: { n: 1, data: 1 } },
    );
    for await (const { n, data } of found) yield n === first ? data.subarray(from % CHUNK_BYTES) : data;
  }

  return {
    name: "mongo",
    write,
    read,
    remove: async ({ workspaceId, id }) => {
      await chunks.deleteMany({ workspaceId, fileId: id });
    },
    close: () => undefined,
  };
}
