import type { CallOptions } from "@asset-register/rpc";
import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";

/** A value of `expand` that only one list has. The plugin `expansions` has the schema of the properties that it adds. */
export type OwnExpansion<D extends DescMessage> = {
  value: string;
  rpcs?: readonly DescMethod[];
  /**
   * Refuses a request that it can't answer, before the list is read.
   *
   * @throws AppError VALIDATION_FAILED
   */
  check?(query: Readonly<{ [parameter: string]: unknown }>): void;
  /** Adds its properties to the presented records. It leaves them null if their service does not answer. */
  add(rows: readonly ExpandedRow<D>[], options: CallOptions): Promise<void>;
};

export type ExpandedRow<D extends DescMessage> = {
  message: MessageShape<D>;
  record: Record<string, unknown>;
};
