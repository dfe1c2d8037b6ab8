import {
  type IngestService,
  ReaderState,
  type ResolvedReader,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { limits } from "@asset-register/proto/limits";
import type { Bulkhead, Client } from "@asset-register/rpc";
import { AppError, createBatcher, unauthenticated, unavailable } from "@asset-register/runtime";
import { LRUCache } from "lru-cache";
import type { ClientOfRequest } from "./client-address.ts";
import type { Refusals } from "./refusals.ts";

export type Readers = {
  /**
   * The workspace of an active reader, before anything of its request but the headers was read.
   *
   * @throws AppError READER_SIGNATURE_INVALID for another reader, UNAVAILABLE when it is not known now, RATE_LIMITED
   */
  requireActive(readerId: string, client: ClientOfRequest): Promise<{ id: string; workspaceId: string }>;
};

/** The service checks every signature with its own newer state. This cache only decides which bodies are read. */
const ACTIVE_LIFE_MS = 5_000;
/** Short, for a reader that is just created. */
const REFUSED_LIFE_MS = 1_000;
const MAX_ACTIVE = 50_000;
/** Refused ids have a cache of their own, so that invented ones do not displace readers. */
const MAX_REFUSED = 5_000;
const CALLS_IN_FLIGHT = 2;

/** Readers that are asked for at the same moment share one call. */
export function createReaders(
  client: Client<typeof IngestService>,
  bulkhead: Bulkhead,
  refusals: Refusals,
): Readers {
  const active = new LRUCache<string, string>({ max: MAX_ACTIVE, ttl: ACTIVE_LIFE_MS });
  const refused = new LRUCache<string, true>({ max: MAX_REFUSED, ttl: REFUSED_LIFE_MS });
  const asking = createBatcher<string, ResolvedReader>({
    maxItems: limits.ids,
    maxInFlight: CALLS_IN_FLIGHT,
    hangs: (error) => error instanceof AppError && error.code === "DEADLINE_EXCEEDED",
    send: async (readerIds) => (await client.resolveReaders({ readerIds })).readers,
  });

  return {
    async requireActive(id, sender) {
      const known = active.get(id);
      if (known !== undefined) return { id, workspaceId: known };
      if (refused.has(id) || id.length > limits.id) throw notSigned();
      refusals.admit({ client: sender });
      const { state, workspaceId } = await bulkhead.run(() => asking.add(id));
      if (state === ReaderState.ACTIVE && workspaceId !== undefined) {
        active.set(id, workspaceId);
        return { id, workspaceId };
      }
      if (state !== ReaderState.REFUSED) throw unavailable("The reader can't be checked now. Retry later.");
      refused.set(id, true);
      await refusals.count({ client: sender });
      throw notSigned();
    },
  };
}

/** The same as for a wrong signature. */
const notSigned = (): AppError =>
  unauthenticated("The reader's signature is not valid.", "READER_SIGNATURE_INVALID");
