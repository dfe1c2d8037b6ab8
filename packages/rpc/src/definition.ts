import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";

/** Unknown fields of a newer release are dropped: no service passes messages on, and keeping them costs a copy. */
const READ = { readUnknownFields: false };
const WRITE = { writeUnknownFields: false };

/** Encodes a message, or the init object of one, into a Buffer without copying. */
export function encodeMessage<D extends DescMessage>(schema: D, value: MessageInitShape<D>): Buffer {
  const bytes = toBinary(schema, create(schema, value), WRITE);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Decodes a message.
 *
 * @throws Error if the bytes are malformed
 */
export function decodeMessage<D extends DescMessage>(schema: D, bytes: Uint8Array): MessageShape<D> {
  return fromBinary(schema, bytes, READ);
}

/** The path of a method on the wire. */
export function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** The definition of a service for grpc-js, with messages of protobuf-es. */
export function toServiceDefinition(desc: DescService): ServiceDefinition {
  return Object.fromEntries(
    desc.methods.map((method) => [
      method.localName,
      {
        ...shapeOf(method),
        requestSerialize: (value: MessageInitShape<DescMessage>) => encodeMessage(method.input, value),
        requestDeserialize: (bytes: Buffer) => decodeMessage(method.input, bytes),
        responseSerialize: (value: MessageInitShape<DescMessage>) => encodeMessage(method.output, value),
        responseDeserialize: (bytes: Buffer) => decodeMessage(method.output, bytes),
      },
    ]),
  );
}

/**
 * The definition of a service for grpc-js, with bytes as messages. So the server can check the caller before it
 * decodes the request, hash the request as received, and answer a replay with stored bytes.
 */
export function toRawDefinition(desc: DescService): ServiceDefinition {
  return Object.fromEntries(
    desc.methods.map((method): [string, MethodDefinition<Buffer, Buffer>] => [
      method.localName,
      {
        ...shapeOf(method),
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    ]),
  );
}

function shapeOf(method: DescMethod) {
  return {
    path: pathOf(method),
    requestStream: method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
    responseStream: method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
    originalName: method.localName,
  };
}

function same(bytes: Buffer): Buffer {
  return bytes;
}
