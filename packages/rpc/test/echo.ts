import {
  AccessSchema,
  access,
  Capability,
  file_assetregister_common_v1_access,
  max_request_bytes,
} from "@asset-register/proto/assetregister/common/v1/access_pb";
import {
  file_assetregister_common_v1_page,
  type PageInfoSchema,
  type PageRequestSchema,
} from "@asset-register/proto/assetregister/common/v1/page_pb";
import {
  create,
  createFileRegistry,
  type Message,
  type MessageInitShape,
  setExtension,
} from "@bufbuild/protobuf";
import type { GenMessage, GenService } from "@bufbuild/protobuf/codegenv2";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  MethodOptions_IdempotencyLevel,
  MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";

type Unary = { methodKind: "unary"; input: typeof PageRequestSchema; output: typeof PageInfoSchema };
type Stream = {
  methodKind: "server_streaming";
  input: typeof PageRequestSchema;
  output: typeof PageInfoSchema;
};

/** The first message of an upload. */
export type PutHeader = Message<"test.v1.PutHeader"> & { name: string; ifRevIn: number[] };
export type PutRequest = Message<"test.v1.PutRequest"> & {
  part:
    | { case: "header"; value: PutHeader }
    | { case: "chunk"; value: Uint8Array }
    | { case: undefined; value?: undefined };
};
type Upload = {
  methodKind: "client_streaming";
  input: GenMessage<PutRequest>;
  output: typeof PageInfoSchema;
};

export type EchoService = GenService<{
  look: Unary;
  change: Unary;
  anyone: Unary;
  signedIn: Unary;
  inside: Unary;
  repeat: Unary;
  list: Stream;
  put: Upload;
}>;

type AccessInit = MessageInitShape<typeof AccessSchema>;
type MethodName = "Look" | "Change" | "Anyone" | "SignedIn" | "Inside" | "Repeat" | "List" | "Put";

const ACCESS: Record<MethodName, AccessInit> = {
  Look: { anyOfCapabilities: [Capability.VIEW], anyOfScopes: ["assets:read"] },
  Change: { anyOfCapabilities: [Capability.EDIT], anyOfScopes: ["assets:write"], internal: ["register"] },
  Anyone: { public: true },
  SignedIn: { signedIn: true },
  Inside: { internal: ["register"] },
  Repeat: { internal: ["register"] },
  List: { signedIn: true, internal: ["register"] },
  Put: { anyOfScopes: ["assets:write"] },
};

const { BYTES, MESSAGE, STRING, UINT32 } = FieldDescriptorProto_Type;
const PUT_MESSAGES = [
  {
    name: "PutHeader",
    field: [
      { name: "name", number: 1, type: STRING },
      { name: "if_rev_in", number: 2, type: UINT32, label: FieldDescriptorProto_Label.REPEATED },
    ],
  },
  {
    name: "PutRequest",
    oneofDecl: [{ name: "part" }],
    field: [
      { name: "header", number: 1, type: MESSAGE, typeName: ".test.v1.PutHeader", oneofIndex: 0 },
      { name: "chunk", number: 2, type: BYTES, oneofIndex: 0 },
    ],
  },
];

/**
 * Creates a proto service at run time, so that a method can lack its access option. Committed protos must have it.
 * `changes` replaces the option of a method. Undefined removes it.
 */
export function echoService(changes: Partial<Record<MethodName, AccessInit | undefined>> = {}): EchoService {
  const options: Partial<Record<MethodName, AccessInit | undefined>> = { ...ACCESS, ...changes };
  const file = create(FileDescriptorProtoSchema, {
    name: "test/echo.proto",
    package: "test.v1",
    syntax: "proto3",
    messageType: PUT_MESSAGES,
    dependency: ["assetregister/common/v1/access.proto", "assetregister/common/v1/page.proto"],
    service: [
      {
        name: "EchoService",
        method: Object.entries(options).map(([name, option]) => ({
          name,
          inputType: name === "Put" ? ".test.v1.PutRequest" : ".assetregister.common.v1.PageRequest",
          outputType: ".assetregister.common.v1.PageInfo",
          serverStreaming: name === "List",
          clientStreaming: name === "Put",
          options: optionsOf(name, option),
        })),
      },
    ],
  });
  const known = [file_assetregister_common_v1_access, file_assetregister_common_v1_page];
  const registry = createFileRegistry(file, (name) => known.find((one) => `${one.name}.proto` === name));
  const service = registry.getService("test.v1.EchoService");
  if (service === undefined) throw new Error("The service of the test was not created.");
  // The cast holds because the service has the same names as the type.
  return service as unknown as EchoService;
}

function optionsOf(name: string, option: AccessInit | undefined) {
  const options = create(MethodOptionsSchema);
  if (option !== undefined) setExtension(options, access, create(AccessSchema, option));
  if (name === "Look") setExtension(options, max_request_bytes, 16 * 1024 * 1024);
  if (name === "Repeat") options.idempotencyLevel = MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  return options;
}
