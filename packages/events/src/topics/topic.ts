import type { DescMessage } from "@bufbuild/protobuf";

/**
 * A topic as declared in one list. `name` is without the installation's prefix,
 * for example "thing.v1". A compacted topic keeps the newest value of each key
 * for ever, any other one keeps all values for `retentionMs`.
 */
export type Topic<S extends DescMessage = DescMessage> = {
  readonly name: string;
  readonly schema: S;
} & (
  | { readonly cleanup: "compact"; readonly minCompactionLagMs: number }
  | { readonly cleanup: "delete"; readonly retentionMs: number }
);
