import type { Read } from "./batch-body.ts";

/** An authenticated read, as the worker and the store get it. */
export type AcceptedEvent = Read & {
  /** See event-id.ts. */
  id: string;
  workspaceId: string;
  readerId: string;
  /** Milliseconds of the epoch, by the clock of this service. */
  receivedAt: number;
  /** When the read happened; see effective-time.ts. Absent in events of earlier releases. */
  at?: number | undefined;
};
