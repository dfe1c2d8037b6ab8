import type {
  ConfirmCountRequest,
  MarkCountedRequest,
  MarkLostRequest,
} from "@asset-register/proto/assetregister/register/v1/count_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { ConfirmCount } from "../operations/counts/confirm-count.ts";
import type { MarkCounted } from "../operations/counts/mark-counted.ts";
import type { MarkLost } from "../operations/counts/mark-lost.ts";

/** An id with the rev of a resolution behind it. */
export const causeId = field.text(2 * limits.id);

const one = { workspaceId: field.id(), assetId: field.id(), sessionId: field.id(), causeId };

const confirmation = z.object({
  ...one,
  locationId: field.id(),
  scannedAt: field.instant(),
  sessionName: field.text(limits.name),
  restoreStatus: z.boolean(),
});

const loss = z.object({
  ...one,
  note: field.optionalText(limits.note),
  seenUntil: field.optionalInstant(),
});

const seen = z.object({
  workspaceId: field.id(),
  sessionId: field.id(),
  closedAt: field.instant(),
  assetIds: field.ids(),
});

export const decodeConfirmCount = (request: ConfirmCountRequest): ConfirmCount =>
  parse(confirmation, request);

export const decodeMarkLost = (request: MarkLostRequest): MarkLost => parse(loss, request);

export const decodeMarkCounted = (request: MarkCountedRequest): MarkCounted => parse(seen, request);
