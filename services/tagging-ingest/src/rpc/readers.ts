import {
  type CreateReaderResponse,
  ReaderService,
  type RotateReaderSecretResponse,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import {
  type Call,
  command,
  encodeInstants,
  type Implementation,
  implement,
  pageInfo,
  pageRequest,
} from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCreateReader,
  decodeReaderActivity,
  decodeReaderFilter,
  decodeRevokeReader,
  decodeRotateReaderSecret,
  decodeUpdateReader,
} from "../decode/reader.ts";
import { ignoredOf } from "../domain/readers/ignored-counts.ts";
import { healthOf } from "../domain/readers/reader-health.ts";
import { encodeReader } from "../encode/reader.ts";
import { createReader, type ReaderAndSecret } from "../operations/readers/create-reader.ts";
import { isValidSecret } from "../operations/readers/is-valid-secret.ts";
import { revokeReader } from "../operations/readers/revoke-reader.ts";
import { rotateReaderSecret } from "../operations/readers/rotate-reader-secret.ts";
import { updateReader } from "../operations/readers/update-reader.ts";

export function readerService(context: Context): Implementation {
  const { stores } = context;
  const encodeWithSecret = ({ reader, secret }: ReaderAndSecret) => ({
    reader: encodeReader(reader),
    secret,
  });
  const isSecretValid = ({ reader, secret }: CreateReaderResponse | RotateReaderSecretResponse, call: Call) =>
    isValidSecret(context, reader?.id ?? "", secret, call);
  return implement(ReaderService, {
    createReader: command(
      decodeCreateReader,
      (input, call) => createReader(context, input, call),
      encodeWithSecret,
      { isSecretValid },
    ),

    updateReader: command(
      decodeUpdateReader,
      (input, call) => updateReader(context, input, call),
      (reader) => ({ reader: encodeReader(reader) }),
    ),

    rotateReaderSecret: command(
      decodeRotateReaderSecret,
      (input, call) => rotateReaderSecret(context, input, call),
      encodeWithSecret,
      { isSecretValid },
    ),

    revokeReader: command(
      decodeRevokeReader,
      (input, call) => revokeReader(context, input, call),
      ({ reader }) => ({ reader: encodeReader(reader) }),
    ),

    async getReader({ id }, { workspaceId }) {
      const reader = requireFound(await stores.readers.get(workspaceId, id), "reader");
      const [minutes, counts] = await Promise.all([
        stores.readers.minutesOf(workspaceId, id),
        stores.readCounts.get(workspaceId, id),
      ]);
      const now = context.now();
      return { reader: encodeReader(reader), ...healthOf(minutes, now), ...ignoredOf(counts, now) };
    },

    async listReaders(request, { workspaceId }) {
      const filter = decodeReaderFilter(request);
      const found = await stores.readers.list(workspaceId, filter, context.now(), pageRequest(request.page));
      return { readers: found.items.map(encodeReader), page: pageInfo(found) };
    },

    async listReaderActivity(request, { workspaceId }) {
      const { id, range } = decodeReaderActivity(request, context.now());
      requireFound(await stores.readers.get(workspaceId, id), "reader");
      return { steps: (await stores.readerHours.list(workspaceId, id, range)).map(encodeInstants) };
    },
  });
}
