import type { TagType } from "./tag-identity.ts";

/** A label or chip; bound to at most one asset. */
export type Tag = {
  id: string;
  workspaceId: string;
  type: TagType;
  epc?: string;
  code?: string;
  /** Unique in the workspace; see tag-identity.ts. */
  key: string;
  /** Absent while free. */
  assetId?: string;
  boundAt?: Date;
  createdAt: Date;
  /** Sightings while it was bound to nothing. */
  firstSeenAt?: Date;
  lastSeenAt?: Date;
  rev: number;
};

/** What tagging knows of an asset; the row stays as a mark when the asset is gone. */
export type AssetMark = {
  id: string;
  /** Disposed or deleted: it takes no tag, and its tags were freed. */
  gone: boolean;
  /** Its status' class is archived: it takes no tag. */
  archived: boolean;
};
