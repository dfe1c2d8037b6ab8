import { createBatcher } from "./batcher.ts";
import { runShared } from "./deadline.ts";

type Wanted = { workspaceId: string; id: string };

/**
 * Makes concurrent reads of single records share a query for each workspace. A query begins after all reads that share it
 * were asked for, so each finds what was written before it.
 */
export function createBatchedReads<R extends { id: string }>(
  readMany: (workspaceId: string, ids: readonly string[]) => Promise<readonly R[]>,
): (workspaceId: string, id: string) => Promise<R | undefined> {
  async function readAll(wanted: readonly Wanted[]): Promise<{ record: R | undefined }[]> {
    const byWorkspace = new Map<string, ReadonlyMap<string, R>>();
    const reads = [...Map.groupBy(wanted, ({ workspaceId }) => workspaceId)].map(
      async ([workspaceId, own]) => {
        const found = await readMany(workspaceId, [...new Set(own.map(({ id }) => id))]);
        byWorkspace.set(workspaceId, new Map(found.map((record) => [record.id, record])));
      },
    );
    await Promise.all(reads);
    return wanted.map(({ workspaceId, id }) => ({ record: byWorkspace.get(workspaceId)?.get(id) }));
  }

  const reads = createBatcher<Wanted, { record: R | undefined }>({
    ...{ maxItems: 500, maxInFlight: 2 },
    send: (wanted) => runShared(() => readAll(wanted)),
  });
  return async (workspaceId, id) => (await reads.add({ workspaceId, id })).record;
}
