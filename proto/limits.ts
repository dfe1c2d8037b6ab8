const DAY_SECONDS = 86_400;

/**
 * The maximum lengths and values in requests. The unit is characters unless the name or comment says otherwise. The
 * gateway's schemas and documents contain these limits, and the services check them for all callers.
 */
export const limits = {
  id: 64,
  /** Names of assets, places, readers, zones and rules. */
  name: 200,
  /** Names of users, workspaces and API keys. */
  accountName: 100,
  /** Label, platform and app version of a device. */
  deviceText: 100,
  email: 254,
  /** Client ID and client secret of single sign-on. */
  ssoClient: 500,
  ssoScopes: 20,
  /** A domain name (RFC 1035). */
  domain: 253,
  /** A logout token of a provider. */
  logoutToken: 8_192,
  /** Mapped groups of single sign-on. */
  ssoGroups: 100,
  /** Domains of a workspace. */
  ssoDomains: 100,
  /** The lengths of a new password. A password that was set earlier may have another length. */
  passwordLeast: 12,
  newPassword: 128,
  /** The characters of a new password whose strength is judged: the time grows faster than the length. */
  passwordJudged: 64,
  /** Spellings such as "p4ssw0rd" that are tried for one word. zxcvbn's 100 take ten times as long. */
  passwordSpellings: 8,
  /** The minimum strength of a new password, by zxcvbn: 0 to 4. 3 is more than 10^8 guesses. */
  passwordStrength: 3,
  password: 1000,
  numberPrefix: 10,
  /** Codes of records, and the numbers of assets and employees. */
  code: 50,
  address: 500,
  /** A one-line text about an asset, a movement or a checkout. */
  line: 200,
  note: 2000,
  description: 5000,
  /** The code of a QR code, barcode or NFC tag. */
  tagCode: 256,
  /** A code that the platform makes: the last character is the check character. */
  madeCode: 12,
  url: 2048,
  usefulLifeMonths: 1200,
  /** Of the month of a depreciation run. */
  runYearLeast: 1900,
  runYear: 9999,
  /** Custom fields of a workspace. */
  customFields: 100,
  customFieldKey: 50,
  customFieldOptions: 200,
  customFieldPattern: 200,
  customFieldPosition: 1_000_000,
  /** All values of an asset's custom fields as JSON: 200 assets on a page must fit into a message of 16 MiB. */
  customFieldBytes: 32_768,
  /** How long the old secret or key stays valid after a rotation. */
  overlapSeconds: 30 * DAY_SECONDS,
  /** The same of the secret of a webhook. */
  webhookOverlapSeconds: 7 * DAY_SECONDS,
  cooldownSeconds: 30 * DAY_SECONDS,
  /** A URL, or up to 10 email addresses with their commas. */
  channelTarget: 10 * 256,
  /** Statuses of an alert rule. */
  ruleStatuses: 50,
  /** Ids in one list. */
  ids: 1000,
  /** Readers of an agent: one response has the secrets of all. */
  agentReaders: 200,
  /** The cursor of a list. */
  cursor: 800,
  /** Addresses from which an API key may be used. */
  allowedAddresses: 100,
  /** Columns of an imported file: more than twice as many as an asset can have fields. */
  importColumns: 300,
  /** Labels of one sheet. */
  labels: 5000,
  /** The line of text on each label. */
  labelText: 40,
  /** Labels on the page of a sheet with the most: l4731. */
  labelsOnPage: 189,
  /** Assets in one request. */
  assets: 1000,
  /** Entries on a page of the event feed, and types in its filter. */
  feedEntries: 1000,
  feedTypes: 20,
  /** Reader events in one request. */
  events: 1000,
  /** Of the settings of a zone or a workspace for presence. */
  presence: {
    confirmReads: 10,
    dwellSeconds: 60,
    leaveAfterSecondsLeast: 5,
    leaveAfterSeconds: DAY_SECONDS,
    marginDb: 30,
    reportIntervalSeconds: 28_800,
    /** A tag that stays is reported at least twice before it has left, however late a report is. */
    intervalsBeforeLeaving: 3,
    /** With a longer interval, two reports never fall into the 10 s of a confirmation. */
    longestConfirmedSeconds: 5,
  },
  /** Antennas of a reader with a place of their own, and their numbers. */
  antennas: 64,
  antenna: 65_535,
  /** The signal of a read, dBm. */
  rssiLeast: -200,
  rssi: 100,
  /** Filters of reads: of a workspace, and of a reader. */
  workspaceFilters: 50,
  readerFilters: 20,
  /** Tags of a reader that show that it reads. */
  referenceEpcs: 20,
  /** The digits of an EPC, and so of the prefix of a filter. */
  epcDigits: 124,
  /** New unknown tags of a reader in an hour. */
  unknownPerHour: 1_000_000,
  /** Pairs of properties with a travel time of their own. */
  travelPairs: 1000,
  travelSeconds: 7 * DAY_SECONDS,
  /** Scans of a stock-take in one request. */
  scans: 1000,
  /** Labour of a work order: more than a year of ten people. */
  labourMinutes: 1_500_000,
  /** Parts of a work order. */
  parts: 200,
  /** The quantity of a part. */
  quantity: 1_000_000,
  /** Attachments of an asset. */
  attachments: 500,
  attachmentBytes: 20 * 1_048_576,
  /** Assets in one question about thumbnails, and on a page of a list that shows them. */
  thumbnails: 50,
  /** Of a thumbnail: a data URL of it then has at most 4 KiB. */
  thumbnailBytes: 3054,
  /** Measured values of a calibration. */
  measured: 200,
  /** Of a maintenance schedule: 1000 years. */
  intervalValue: 1000,
  /** The value of a meter. In thousandths it is an exact number. */
  meterValue: 1_000_000_000_000,
  /** Assets for which one call generates work orders. */
  generatedOrders: 500,
  /** Assets in one question about units. */
  meteredAssets: 500,
  /** Days ahead, in lists of what is due or expires. */
  days: 3650,
} as const;

/** What counts for settings of readers that nobody has set. Services apply them, and forms show them. */
export const readerDefaults = {
  presence: { confirmReads: 2, dwellSeconds: 10, leaveAfterSeconds: 30, marginDb: 6 },
  unknownPerHour: 1_000,
  travelSeconds: 300,
} as const;
