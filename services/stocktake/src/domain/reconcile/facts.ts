/** A scan, as far as it decides a variance. `key` is the normalised code or EPC. */
export type ScanFact = {
  id: string;
  key: string;
  /** As sent. */
  code?: string | undefined;
  epc?: string | undefined;
  locationId: string;
  deviceId: string;
  /** Its scanTime. */
  at: Date;
  receivedAt: Date;
};

/** A movement of an asset in register. */
export type MovementFact = {
  at: Date;
  fromLocationId?: string | undefined;
  toLocationId?: string | undefined;
  /** A confirmation of this session made it. */
  own: boolean;
};

/** A time in which somebody has an asset. */
export type CheckoutFact = { id: string; issuedAt: Date; returnedAt?: Date | undefined };

/** An asset as register has it at reconcile. */
export type AssetFact = {
  assetId: string;
  /** Disposed of or deleted. */
  gone: boolean;
  lost: boolean;
  /** False for assets that are gone. */
  inScope: boolean;
  /** At present. */
  locationId?: string | undefined;
  /** In order of (at, id): those since the earliest scan, and the last one before it. */
  movements: readonly MovementFact[];
  checkouts: readonly CheckoutFact[];
};

/** An asset of the frozen expected set. */
export type ExpectedFact = { assetId: string; locationId?: string | undefined };
