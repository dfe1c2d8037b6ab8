import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Server } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";

/** Adds gRPC reflection, so that tools such as grpcurl can list the services and their messages. */
export function addReflection(server: Server, services: DescService[]): void {
  const files = new Map<string, Buffer>();
  for (const service of services) collect(service.file, files);
  const holder = {
    format: "Protocol Buffer 3 EnumDescriptorProto" as const,
    type: {},
    fileDescriptorProtos: [...files.values()],
  };
  // The library expects the output of proto-loader, but reads only its descriptors.
  new ReflectionService(
    { files: holder },
    { services: services.map((service) => service.typeName) },
  ).addToServer(server);
}

function collect(file: DescFile, files: Map<string, Buffer>): void {
  if (files.has(file.name)) return;
  files.set(file.name, Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
  for (const dependency of file.dependencies) collect(dependency, files);
}
