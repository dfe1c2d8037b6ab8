import type { DescMethod } from "@bufbuild/protobuf";

/**
 * Whether an RPC supports If-Match: its request has `repeated uint32 if_rev_in`, the revs at which the caller may
 * have read the record. An empty list is no condition. Revs start at 1, so 0 never matches.
 */
export function takesIfRev({ input }: DescMethod): boolean {
  return input.fields.some(({ name }) => name === "if_rev_in");
}
