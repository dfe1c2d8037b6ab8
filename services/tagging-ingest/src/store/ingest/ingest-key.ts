/**
 * A key of Redis for the ingest of a workspace. The part in braces puts all keys of a workspace into one slot of a cluster,
 * so that one script may name them.
 */
export const ingestKey = (workspaceId: string, name: string): string => `ingest:{${workspaceId}}:${name}`;

/** The key of the version of a reader's secrets. */
export const versionKey = (workspaceId: string, readerId: string): string =>
  ingestKey(workspaceId, `version:${readerId}`);

/** The key of the rate at which the events of a workspace are processed, while they wait too long. */
export const slowRateKey = (workspaceId: string): string => ingestKey(workspaceId, "slow-rate");
