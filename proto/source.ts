import { readFileSync } from "node:fs";
import path from "node:path";
import type { DescMessage } from "@bufbuild/protobuf";

/** The text of the .proto file that declares a message. */
export function protoSource(schema: DescMessage): string {
  return readFileSync(path.join(import.meta.dirname, `${schema.file.name}.proto`), "utf8");
}
