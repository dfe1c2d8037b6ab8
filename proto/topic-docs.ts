import type { topics } from "./topics.ts";

export type TopicDoc = {
  publisher: string;
  /** When a record is published. */
  trigger: string;
  /** The key of a record, after the workspace. */
  key: string;
  /** The value of ce_sequence, which orders the records of a key. */
  sequence: string;
};

const audit = "each service that changes something which the audit log records";

/** The facts of each topic that subscribers need besides its schema and retention. Shown at /docs/events. */
export const topicDocs: Readonly<Record<keyof typeof topics, TopicDoc>> = {
  workspace: {
    publisher: "identity",
    trigger: "A workspace is created or changed, also its plan or status.",
    key: "workspace id",
    sequence: "its rev",
  },
  organisation: {
    publisher: "register",
    trigger:
      "A property, building, floor, location, category, custodian or department is created, changed or deleted.",
    key: "id of the record",
    sequence: "its rev",
  },
  zone: {
    publisher: "tagging-ingest",
    trigger: "A zone is created, changed or deleted.",
    key: "zone id",
    sequence: "its rev",
  },
  reader: {
    publisher: "tagging-ingest",
    trigger: "A reader is created, changed or revoked, or gets another secret.",
    key: "reader id",
    sequence: "its counter of changes",
  },
  tag: {
    publisher: "tagging-ingest",
    trigger: "A tag is commissioned, replaced, retired or otherwise changed.",
    key: "tag id",
    sequence: "its rev",
  },
  asset: {
    publisher: "register",
    trigger: "An asset is created, changed, moved, issued, returned, disposed or deleted.",
    key: "asset id",
    sequence: "its rev",
  },
  contract: {
    publisher: "maintenance",
    trigger: "A contract is created, changed, cancelled or deleted.",
    key: "contract id",
    sequence: "its rev",
  },
  depreciation: {
    publisher: "finance",
    trigger: "The state of an asset in the book `book` changes: profile, posting, disposal or write-off.",
    key: "asset id",
    sequence: "the asset's counter in finance",
  },
  movement: {
    publisher: "register",
    trigger: "An asset changes its location.",
    key: "asset id",
    sequence: "the asset's count of movements",
  },
  checkout: {
    publisher: "register",
    trigger: "An asset is issued or returned.",
    key: "asset id",
    sequence: "the asset's count of checkouts",
  },
  sighting: {
    publisher: "tagging-ingest",
    trigger: "Reads of a tag mean something: it was seen, it moved to another zone, or it left.",
    key: "asset id, or the EPC of an unknown tag",
    sequence: "its count of sightings",
  },
  alert: {
    publisher: "notification",
    trigger: "An alert is raised, acknowledged or resolved. A repeat is not published.",
    key: "alert id",
    sequence: "its rev",
  },
  stocktake: {
    publisher: "stocktake",
    trigger: "A session is opened, reconciled, closed or cancelled, or one of its variances is resolved.",
    key: "session id",
    sequence: "the session's count of events, which is not its rev",
  },
  workOrder: {
    publisher: "maintenance",
    trigger: "A work order is created or changed, or its status changes.",
    key: "work order id",
    sequence: "its rev",
  },
  depreciationRun: {
    publisher: "finance",
    trigger: "A depreciation run of either book is posted.",
    key: "run id",
    sequence: "its rev",
  },
  audit: {
    publisher: audit,
    trigger: "An entry of the audit log is written.",
    key: "id of the entry",
    sequence: "1",
  },
  readerLiveness: {
    publisher: "tagging-ingest",
    trigger: "A reader was heard; at most once a minute for each reader.",
    key: "reader id",
    sequence: "its last_seen_at in milliseconds",
  },
  readerEvent: {
    publisher: "tagging-ingest",
    trigger: "Signed reads of readers are accepted. A record has the events of one send for one partition.",
    key: "none; the partition is that of workspace and EPC",
    sequence: "none",
  },
};
