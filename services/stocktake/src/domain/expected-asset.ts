/** An asset that is expected in the scope, as it was when the session was opened. */
export type ExpectedAsset = {
  /** The session's id and the asset's: rows of a session are in order of asset. */
  id: string;
  workspaceId: string;
  sessionId: string;
  assetId: string;
  number: string;
  name: string;
  locationId?: string | undefined;
  custodianId?: string | undefined;
  statusId: string;
  statusKey: string;
  /** As of the last reconcile. */
  scanned: boolean;
};

export const expectedAssetId = (sessionId: string, assetId: string): string => `${sessionId}:${assetId}`;
