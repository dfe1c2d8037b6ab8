import type { DescMethod } from "@bufbuild/protobuf";

/**
 * Whether an RPC changes a record on condition of the revs at which its caller read it: its request has
 * `repeated uint64 if_rev_in`. None is no condition; revs count from 1, so 0 is one that never holds.
 */
export function takesIfRev({ input }: DescMethod): boolean {
  return input.fields.some(({ name }) => name === "if_rev_in");
}
