import type { TagTextSchema } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** A scanned text as tagging reads it. */
export type CodeText = MessageInitShape<typeof TagTextSchema>;

/** The text of a normalised one, which begins with `code:` or `epc:`. */
export function decodeCodeText(normalised: string): CodeText {
  const at = normalised.indexOf(":");
  const value = normalised.slice(at + 1);
  return { identifier: { case: normalised.slice(0, at) === "epc" ? "epc" : "code", value } };
}
