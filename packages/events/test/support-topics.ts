import { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import type { Topic } from "../src/index.ts";

/** A topic that keeps all values. Its example message is the event of an asset. */
export const log = {
  name: "log.v1",
  schema: AssetEventSchema,
  cleanup: "delete",
  retentionMs: 86_400_000,
} as const satisfies Topic;

/** A topic that keeps the newest value of each key. */
export const state = {
  name: "state.v1",
  schema: AssetEventSchema,
  cleanup: "compact",
  minCompactionLagMs: 0,
} as const satisfies Topic;

/** More than the default: each key is in order whatever the number. */
export const SHARDS = 4;
