/** A text that a session has scanned, and the asset of its tag as of the last reconcile. */
export type ScannedCode = {
  /** The session's id and the normalised text: codes of a session are in order of text. */
  id: string;
  workspaceId: string;
  sessionId: string;
  /** The normalised text of its scans. */
  key: string;
  /** The tag that the text means: tagging's canonical form of it. Several texts may mean one tag. */
  canonical: string;
  /** How often it was scanned. */
  scans: number;
  /** The asset that has it. */
  assetId?: string | undefined;
  /** Without an asset: the one that had it before. */
  lastAssetId?: string | undefined;
};

export const scannedCodeId = (sessionId: string, key: string): string => `${sessionId}:${key}`;
