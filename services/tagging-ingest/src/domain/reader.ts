import type { Sealed } from "@asset-register/runtime";

/** What a reader is; only a fixed portal says that something left. */
export type ReaderKind = "fixed_portal" | "handheld_sled" | "phone";

/** A device that reads tags and signs what it read. Without its secrets. */
export type Reader = {
  id: string;
  workspaceId: string;
  name: string;
  kind: ReaderKind;
  zoneId?: string;
  locationId?: string;
  status: "active" | "revoked";
  createdAt: Date;
  revokedAt?: Date;
  /** Observed, and so no part of `rev`: */
  lastSeenAt?: Date;
  /** When it was first heard after a minute of silence; absent when it never was away. */
  aliveSince?: Date;
  clockSkewMs?: number;
  accepted: number;
  rejected: number;
  /** Counts the changes by people. */
  rev: number;
  /** Counts what was published, liveness too. */
  sequence: number;
};

/** One of a reader's secrets, encrypted. The newest has no end. */
export type ReaderSecret = { sealed: Sealed; endsAt?: Date };

/** Overlap of two secrets when a rotation names none: 24 h. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;

/**
 * A reader's secrets after a rotation: the new one, and the one before until
 * the overlap is over (0: at once). Older ones end now.
 */
export function rotateSecrets(
  secrets: readonly ReaderSecret[],
  fresh: Sealed,
  now: Date,
  overlapSeconds = DEFAULT_OVERLAP_SECONDS,
): ReaderSecret[] {
  const before = secrets.find(({ endsAt }) => endsAt === undefined);
  const endsAt = new Date(now.getTime() + overlapSeconds * 1000);
  const kept = before === undefined || overlapSeconds === 0 ? [] : [{ sealed: before.sealed, endsAt }];
  return [...kept, { sealed: fresh }];
}
