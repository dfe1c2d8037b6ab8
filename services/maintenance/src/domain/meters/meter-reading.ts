import type { Actor } from "@asset-register/rpc";

/** A reading of the meter of an asset. It never changes. */
export type MeterReading = {
  id: string;
  workspaceId: string;
  assetId: string;
  value: number;
  unit?: string | undefined;
  readAt: Date;
  reset: boolean;
  /** Of a reset: how much higher the reading before it was. Later readings of an earlier time change it. */
  dropped?: number | undefined;
  createdAt: Date;
  createdBy: Actor;
};
