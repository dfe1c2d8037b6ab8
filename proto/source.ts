import { readFileSync } from "node:fs";
import path from "node:path";
import { create, type DescFile, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** The text of the .proto file that declares a message. */
export const protoSource = ({ file }: DescMessage): string => sourceOf(file);

/**
 * The .proto files that declare some messages, and all that they import, by the path at which they are imported. Those of
 * Google come with every compiler.
 */
export function protoSources(schemas: readonly DescMessage[]): Map<string, string> {
  const own = filesOf(schemas).filter(({ name }) => !name.startsWith("google/"));
  return new Map(own.map((file) => [`${file.name}.proto`, sourceOf(file)]));
}

/** The same files as a FileDescriptorSet, with those of Google: for consumers that decode without generated code. */
export function descriptorSet(schemas: readonly DescMessage[]): Uint8Array {
  const files = filesOf(schemas).map(({ proto }) => proto);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: files }));
}

const sourceOf = ({ name }: DescFile): string =>
  readFileSync(path.join(import.meta.dirname, `${name}.proto`), "utf8");

/** The files of some messages, each after those that it imports. */
function filesOf(schemas: readonly DescMessage[]): DescFile[] {
  const found = new Set<DescFile>();
  const add = (file: DescFile): void => {
    if (found.has(file)) return;
    for (const imported of file.dependencies) add(imported);
    found.add(file);
  };
  for (const { file } of schemas) add(file);
  return [...found];
}
