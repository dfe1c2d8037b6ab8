import {
  type CreateReaderRequest,
  ReaderService,
  type RotateReaderSecretRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import { type Call, command, type Implementation, implement } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import type { ListQuery } from "../domain/list-query.ts";
import type { Reader } from "../domain/reader.ts";
import { readerKindOf, readerMessage } from "../messages.ts";
import type { NewReader, ReaderAndSecret } from "../operations/create-reader.ts";
import type { RevokeReader } from "../operations/revoke-reader.ts";
import type { RotateReaderSecret } from "../operations/rotate-reader-secret.ts";
import { checkInput, nameOf } from "./input.ts";
import { pageInfo, toListQuery } from "./page.ts";

type Operations = {
  createReader(input: NewReader, call: Call): Promise<ReaderAndSecret>;
  rotateReaderSecret(input: RotateReaderSecret, call: Call): Promise<ReaderAndSecret>;
  revokeReader(input: RevokeReader, call: Call): Promise<Reader>;
  getReader(workspaceId: string, id: string): Promise<Reader | undefined>;
  listReaders(
    workspaceId: string,
    query: ListQuery,
  ): Promise<{ items: Reader[]; page: number; limit: number; total: number; nextCursor: string }>;
};

/** A month: an old secret that lives longer is no rotation. */

/** Readers and their secrets over RPC. */
export function readerService(operations: Operations): Implementation {
  return implement(ReaderService, {
    createReader: command(decodeNewReader, operations.createReader, encodeSecret),
    rotateReaderSecret: command(decodeRotation, operations.rotateReaderSecret, encodeSecret),
    revokeReader: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      operations.revokeReader,
      (reader) => ({ reader: readerMessage(reader) }),
    ),
    async getReader({ id }, call) {
      const reader = await operations.getReader(call.workspaceId, id);
      if (reader === undefined) throw notFound("No such reader.");
      return { reader: readerMessage(reader) };
    },
    async listReaders({ page }, call) {
      const found = await operations.listReaders(call.workspaceId, toListQuery(page));
      return { readers: found.items.map(readerMessage), page: pageInfo(found) };
    },
  });
}

function decodeNewReader({ name, kind, zoneId, locationId }: CreateReaderRequest): NewReader {
  const known = readerKindOf(kind);
  let trimmed = name;
  checkInput((wrong) => {
    trimmed = nameOf(name, wrong);
    if (known === undefined) wrong("kind", "must be fixed_portal, handheld_sled or phone");
  });
  return {
    name: trimmed,
    kind: known ?? "phone",
    ...(zoneId === "" ? {} : { zoneId }),
    ...(locationId === "" ? {} : { locationId }),
  };
}

function decodeRotation(request: RotateReaderSecretRequest): RotateReaderSecret {
  const { id, overlapSeconds, ifRevIn } = request;
  checkInput((wrong) => {
    if ((overlapSeconds ?? 0) > limits.overlapSeconds) {
      wrong("overlap_seconds", `must be at most ${limits.overlapSeconds}`);
    }
  });
  return { id, ifRevIn, ...(overlapSeconds === undefined ? {} : { overlapSeconds }) };
}

function encodeSecret({ reader, secret }: ReaderAndSecret) {
  return { reader: readerMessage(reader), secret };
}
