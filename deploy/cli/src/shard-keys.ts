/**
 * The shard key of a collection on a sharded cluster.
 *
 * | Kind        | Key                          | For                                                                 |
 * | ----------- | ---------------------------- | ------------------------------------------------------------------- |
 * | `workspace` | `{ workspaceId: 1 }`         | the rule: unique indexes begin with it, and a workspace has one shard |
 * | `record`    | `{ workspaceId: 1, _id: 1 }` | one workspace may outgrow a shard, and only `_id` is unique           |
 * | `id`        | `{ _id: 1 }`                 | ids begin with the workspace, and writes name nothing but the id      |
 * | `never`     | none                         | it stays on the primary shard of its database                         |
 */
export type ShardKind = "workspace" | "record" | "id" | "never";

/** Rows of the mechanisms, which belong to no workspace, or which one query reads across all of them. */
const inEveryService: Record<string, ShardKind> = {
  caught_up: "never",
  idempotency_secrets: "never",
  inbox: "never",
  leases: "never",
  long_work_locks: "never",
  migrations: "never",
  // The relay reads the rows of all workspaces in one transaction, and removes what it has sent.
  outbox: "never",
  outbox_state: "never",
  outbox_tombstones: "never",
  skip_requests: "never",
  // A row for each workspace, or for each file under way.
  files: "never",
  workspaces: "never",
};

/** What differs from the rule `workspace`. `{day}` stands for the days of a collection for each day. */
const exceptions: Record<string, Record<string, ShardKind>> = {
  // An account is looked up before its workspace is known. Emails, hashes of keys, passkeys, domains and identities of
  // providers are unique on the platform, so no shard key can begin with the workspace. All of it grows with users only.
  identity: {
    account_tokens: "never",
    api_keys: "never",
    audit_log: "record",
    invitation_mails: "never",
    passkeys: "never",
    refresh_tokens: "never",
    second_factors: "never",
    sessions: "never",
    sign_in_limits: "never",
    sso_codes: "never",
    sso_connections: "never",
    sso_domains: "never",
    sso_identities: "never",
    sso_sessions: "never",
    used_challenges: "never",
    users: "never",
  },
  finance: { asset_catch_ups: "id", book_gates: "id", book_states: "record" },
  register: { counters: "id", facet_answers: "id", small_images: "record" },
  "tagging-ingest": {
    assets: "record",
    reader_event_days: "never",
    presences: "id",
    present_tags: "id",
    "reader_events_{day}": "record",
    sighting_days: "never",
    sighting_sequences: "id",
    "sightings_{day}": "id",
    tag_text_locks: "id",
  },
  notification: {
    assets: "record",
    categories: "record",
    feed_heads: "id",
    first_readings: "never",
    zones: "record",
  },
};

/**
 * These have no index of their key: they are read by id, and one more index would cost each write. MongoDB shards filled
 * collections only with an index, so it is made just before.
 */
export const indexedWhenSharded: Readonly<Record<string, readonly string[]>> = {
  finance: ["book_states"],
  register: ["small_images"],
  "tagging-ingest": ["assets", "reader_events_{day}"],
  notification: ["assets", "categories", "zones"],
};

/** The name of a collection in the tables: all days of one have the same. */
export const undated = (collection: string): string => collection.replace(/_\d{8}$/, "_{day}");

/** How a collection of a service is sharded. Unknown ones have the rule `workspace`, which a test then checks. */
export function shardKindOf(service: string, collection: string): ShardKind {
  const name = undated(collection);
  return exceptions[service]?.[name] ?? inEveryService[name] ?? "workspace";
}

/** The fields of the key, in order. Undefined for a collection that is never sharded. */
export function shardKeyOf(service: string, collection: string): readonly string[] | undefined {
  return { workspace: ["workspaceId"], record: ["workspaceId", "_id"], id: ["_id"], never: undefined }[
    shardKindOf(service, collection)
  ];
}

/** The collections that differ from the rule, by service. */
export const shardExceptions: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(exceptions).map(([service, names]) => [service, Object.keys(names)]),
);
