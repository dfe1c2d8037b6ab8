export type ScanMethod = "qr" | "barcode" | "rfid";

/** A tag that a device has read at a location. Scans are never changed. */
export type Scan = {
  id: string;
  workspaceId: string;
  sessionId: string;
  /** As sent; one of code and epc. */
  code?: string | undefined;
  epc?: string | undefined;
  /** `code:` or `epc:` and the normalised text: equal for scans of the same text. */
  normalised: string;
  locationId: string;
  method: ScanMethod;
  deviceId: string;
  /** By the clock of the device. */
  scannedAt: Date;
  receivedAt: Date;
  /** The scanSeq of the session that its request has made. */
  seq: number;
  /** Names device, time and text. Unique in the session. */
  key: string;
};

/** When a tag was read: a device whose clock is ahead has read it when its scan arrived, at the latest. */
export const scanTime = ({ scannedAt, receivedAt }: Pick<Scan, "scannedAt" | "receivedAt">): Date =>
  scannedAt < receivedAt ? scannedAt : receivedAt;
