/**
 * Numbers of the Low Level Reader Protocol 1.0.1 and 1.1 (EPCglobal; chapters "Messages" and "Parameters"). Connections
 * begin with version 1 in both, and all that the agent needs is in version 1.
 */
export const VERSION = 1;
export const KNOWN_VERSIONS: readonly number[] = [1, 2];

export const MESSAGE = {
  getReaderCapabilities: 1,
  setReaderConfig: 3,
  closeConnectionResponse: 4,
  getReaderCapabilitiesResponse: 11,
  setReaderConfigResponse: 13,
  closeConnection: 14,
  addRoSpec: 20,
  deleteRoSpec: 21,
  startRoSpec: 22,
  enableRoSpec: 24,
  addRoSpecResponse: 30,
  deleteRoSpecResponse: 31,
  startRoSpecResponse: 32,
  enableRoSpecResponse: 34,
  roAccessReport: 61,
  keepalive: 62,
  readerEventNotification: 63,
  enableEventsAndReports: 64,
  keepaliveAck: 72,
  errorMessage: 100,
} as const;

/** Parameters of type and value: one byte of type, and a length that the type decides. */
export const TV = {
  antennaId: 1,
  firstSeenUtc: 2,
  lastSeenUtc: 4,
  peakRssi: 6,
  tagSeenCount: 8,
  epc96: 13,
} as const;

/** Bytes of the value of each TV parameter, by its type. */
export const TV_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 2],
  [2, 8],
  [3, 8],
  [4, 8],
  [5, 8],
  [6, 1],
  [7, 2],
  [8, 2],
  [9, 4],
  [10, 2],
  [11, 2],
  [12, 2],
  [13, 12],
  [14, 2],
  [15, 2],
  [16, 4],
  [17, 2],
  [18, 4],
  [19, 2],
  [20, 2],
]);

/** Parameters of type, length and value. */
export const TLV = {
  generalDeviceCapabilities: 137,
  llrpCapabilities: 142,
  roSpec: 177,
  roBoundarySpec: 178,
  roSpecStartTrigger: 179,
  roSpecStopTrigger: 182,
  aiSpec: 183,
  aiSpecStopTrigger: 184,
  inventoryParameterSpec: 186,
  keepaliveSpec: 220,
  eventsAndReports: 226,
  roReportSpec: 237,
  tagReportContentSelector: 238,
  tagReportData: 240,
  epcData: 241,
  readerEventNotificationSpec: 244,
  eventNotificationState: 245,
  readerEventNotificationData: 246,
  reportBufferLevelWarning: 250,
  reportBufferOverflow: 251,
  readerException: 252,
  connectionAttempt: 256,
  connectionClose: 257,
  status: 287,
} as const;

/** The bytes of a peer are no LLRP. The connection can't go on, because the next message is not found. */
export class LlrpError extends Error {}
