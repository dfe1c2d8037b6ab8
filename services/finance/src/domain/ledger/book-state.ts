/** The value of an asset in book `book`, as this service publishes it. Its id is the id of the asset. */
export type BookState = {
  id: string;
  workspaceId: string;
  currency: string;
  /** Minor units. */
  nbv: number;
  accumulated: number;
  /** Once the disposal is accounted. */
  gainLoss?: number | undefined;
  /** A stock-take wrote the asset off. `assetRev` is the asset's rev after that. */
  writeOff?: { assetRev: number } | undefined;
  deletedAt?: Date | undefined;
  /** Counts what was published for the asset, from 1. */
  rev: number;
};

/** Why the state is published. */
export type BookStateChange = "profileChanged" | "posted" | "disposed" | "writeOffChanged" | "deleted";
