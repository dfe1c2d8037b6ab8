const DAY_SECONDS = 86_400;

/**
 * What requests may hold at most, in characters where nothing else is said: the gateway's documents
 * promise it and refuse more, and the services hold to it whoever asks.
 */
export const limits = {
  id: 64,
  /** Of records: assets, places, readers, zones, rules. */
  name: 200,
  /** Of users, workspaces and API keys. */
  accountName: 100,
  /** Of a device: its label, platform and version of the app. */
  deviceText: 100,
  email: 254,
  /** Of a password to be set; one that is checked may be shorter. */
  passwordLeast: 12,
  password: 1000,
  numberPrefix: 10,
  /** Of records, and numbers of assets and employees. */
  code: 50,
  address: 500,
  /** A line about an asset, a movement or a checkout. */
  line: 200,
  note: 2000,
  description: 5000,
  /** Of a QR code, barcode or NFC tag. */
  tagCode: 256,
  url: 2048,
  usefulLifeMonths: 1200,
  /** How long what was before a rotation is taken still. */
  overlapSeconds: 30 * DAY_SECONDS,
  cooldownSeconds: 30 * DAY_SECONDS,
  /** Ids in one list. */
  ids: 1000,
  /** Addresses that a key may be used from. */
  allowedAddresses: 100,
  /** Reader events in one request. */
  events: 1000,
} as const;
