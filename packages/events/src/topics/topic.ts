import type { DescMessage } from "@bufbuild/protobuf";

/**
 * A topic as declared in `proto/topics.ts`. `name` is without the prefix of the
 * installation, for example "thing.v1". A compacted topic keeps the newest value
 * of each key without end. Any other topic keeps all values for `retentionMs`.
 */
export type Topic<S extends DescMessage = DescMessage> = {
  readonly name: string;
  readonly schema: S;
} & (
  | { readonly cleanup: "compact"; readonly minCompactionLagMs: number }
  | {
      readonly cleanup: "delete";
      readonly retentionMs: number;
      /** "append": the time of a record is the broker's when it was appended. Default: the producer's. */
      readonly timestamps?: "append";
    }
);
