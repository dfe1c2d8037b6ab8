import { runShared } from "./deadline.ts";
import { createKeyedBatcher } from "./keyed-batcher.ts";

/**
 * Makes concurrent reads of single records share a query for each workspace. A query begins after all reads that share it
 * were asked for, so each finds what was written before it.
 */
export function createBatchedReads<R extends { id: string }>(
  readMany: (workspaceId: string, ids: readonly string[]) => Promise<readonly R[]>,
): (workspaceId: string, id: string) => Promise<R | undefined> {
  async function readAll(workspaceId: string, ids: readonly string[]): Promise<{ record: R | undefined }[]> {
    const found = await readMany(workspaceId, [...new Set(ids)]);
    const records = new Map(found.map((record) => [record.id, record]));
    return ids.map((id) => ({ record: records.get(id) }));
  }

  const reads = createKeyedBatcher<string, { record: R | undefined }>({
    ...{ maxItems: 500, maxInFlight: 2 },
    send: (workspaceId, ids) => runShared(() => readAll(workspaceId, ids)),
  });
  return async (workspaceId, id) => (await reads.add(workspaceId, id)).record;
}
