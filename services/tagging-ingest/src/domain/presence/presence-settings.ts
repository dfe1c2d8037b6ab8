/** How a place decides about tags (ingest.md, "Presence"). Times are in milliseconds. */
export type PresenceSettings = {
  /** Seconds with a read that a move needs, within 10 s. */
  confirmReads: number;
  /** A contested move needs so long since the last move. Most reads of this time decide it. */
  dwellMs: number;
  /** A tag has left when its fixed portal has not read it for this long. */
  leaveAfterMs: number;
  /** So much stronger a signal decides a contested move too. */
  marginDb: number;
};

export const DEFAULT_PRESENCE_SETTINGS: PresenceSettings = {
  confirmReads: 2,
  dwellMs: 10_000,
  leaveAfterMs: 30_000,
  marginDb: 6,
};
