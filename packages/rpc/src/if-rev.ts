import type { DescMethod } from "@bufbuild/protobuf";
import { headerOf } from "./upload/upload-method.ts";

/**
 * Whether an RPC supports If-Match: its request has `repeated uint32 if_rev_in`, the revs at which the caller may
 * have read the record. An empty list is no condition. Revs start at 1, so 0 never matches. That of an upload is in
 * its header.
 */
export function takesIfRev(method: DescMethod): boolean {
  const { fields } = method.methodKind === "client_streaming" ? headerOf(method) : method.input;
  return fields.some(({ name }) => name === "if_rev_in");
}
