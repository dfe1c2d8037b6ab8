/** The value of an asset in book `book`, as finance published it. Amounts are minor units. */
export type BookState = {
  workspaceId: string;
  assetId: string;
  epoch: number;
  sequence: number;
  figures: {
    nbv: number;
    /** Its presence shows that finance has published for the asset. */
    accumulatedDepreciation: number;
    gainLoss?: number | undefined;
  };
};
