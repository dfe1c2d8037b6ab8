import { hash } from "node:crypto";
import type { ReaderInstant } from "./timestamp.ts";

/** Two reads with the same identity are the same event, however often they arrive. */
export type ReadIdentity = {
  workspaceId: string;
  readerId: string;
  /** Canonical: upper-case hex. */
  epc: string;
  ts: ReaderInstant;
  antenna?: number | undefined;
};

/**
 * `evt_` and 128 bits of a hash of the identity. A repeat of an event has the same id and so no second effect.
 */
export function eventId({ workspaceId, readerId, epc, ts, antenna }: ReadIdentity): string {
  const identity = `${workspaceId}\n${readerId}\n${epc}\n${ts.ms}.${ts.nanos}\n${antenna ?? ""}`;
  return `evt_${hash("sha256", identity, "hex").slice(0, 32)}`;
}
