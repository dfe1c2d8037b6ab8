import type { Read } from "./batch-body.ts";

/** An authenticated read, as it travels to the worker and into the store. */
export type AcceptedEvent = Read & {
  /** See event-id.ts. */
  id: string;
  workspaceId: string;
  readerId: string;
  /** Milliseconds of the epoch, this side's clock. */
  receivedAt: number;
};
