import { dateOfDay } from "../utc-day.ts";

export const archiveKinds = ["events", "sightings"] as const;

/** The rows of which daily collections. */
export type ArchiveKind = (typeof archiveKinds)[number];

/** Whose rows of which UTC day a file has. `day` is its number since the epoch. */
export type ArchivePart = { workspaceId: string; kind: ArchiveKind; day: number };

/** A complete file in the store of blobs, which was read again after it was written. */
export type Archive = ArchivePart & {
  /** See `archiveId`. */
  id: string;
  blobId: string;
  rows: number;
  /** Of the compressed file, as `sha256` (hex). */
  bytes: number;
  sha256: string;
  writtenAt: Date;
  /** How many rows the collection `storedIn` had, all of which are in the file. */
  storedRows?: number | undefined;
  /** The identity of this collection. If the day has a collection again after the drop, it is another one. */
  storedIn?: string | undefined;
};

/** A workspace has one file of a kind and day. */
export const archiveId = ({ workspaceId, kind, day }: ArchivePart): string =>
  `${workspaceId}:${kind}:${dateOfDay(day)}`;
