import {
  type ListChangedAssetsRequest,
  type ListPositionsRequest,
  type ListScopeRequest,
  ScopeType,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames, field, parse } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import { z } from "zod";
import type { NamedScope } from "../operations/directory/expand-scope.ts";
import type { ChangeCursor, ListChangedAssets } from "../operations/directory/list-changed-assets.ts";
import type { ListPositions } from "../operations/directory/list-positions.ts";
import type { ListScope } from "../operations/directory/list-scope.ts";

const scopeTypeNames = enumNames(ScopeType);

const MAX_LIMIT = limits.ids;

/** 0 is the default of the proto: the most. */
const limit = field.integer({ max: MAX_LIMIT }).transform((limit) => limit || MAX_LIMIT);
const workspaceId = field.id();
const afterId = field.optionalId();
const assetIds = field.ids();

export const oneAsset = z.object({ workspaceId, assetId: field.id() });
export const someAssets = z.object({ workspaceId, assetIds });
export const pageOfSeen = z.object({ workspaceId, afterId, limit });

const pageOfScope = z.object({
  ...{ workspaceId, afterId, limit },
  scopeType: field.enum(scopeTypeNames),
  scopeId: field.optionalId(),
  toCount: z.boolean(),
});

export function decodeListScope(request: ListScopeRequest): ListScope {
  const { scopeType, scopeId, ...rest } = parse(pageOfScope, request);
  return { ...rest, scope: decodeScope(scopeType, scopeId) };
}

/** Checks that a scope names a record, unless it is the whole workspace. */
function decodeScope(type: NamedScope["type"], id: string | undefined): NamedScope {
  if (type === "all" && id !== undefined) {
    throw invalid([{ field: "scope_id", message: "must be absent for the whole workspace" }]);
  }
  if (type !== "all" && id === undefined) throw invalid([{ field: "scope_id", message: "is required" }]);
  return { type, id };
}

const positions = z.object({
  ...{ workspaceId, assetIds },
  since: field.instant(),
  until: field.instant(),
  scopeType: field.optionalEnum(scopeTypeNames),
  scopeId: field.optionalId(),
});

export function decodeListPositions(request: ListPositionsRequest): ListPositions {
  const { since, until, scopeType, scopeId, ...rest } = parse(positions, request);
  if (until < since) throw invalid([{ field: "until", message: "must not be before since" }]);
  if (!scopeType && scopeId) throw invalid([{ field: "scope_type", message: "is required with scope_id" }]);
  return { ...rest, window: { since, until }, scope: scopeType && decodeScope(scopeType, scopeId) };
}

const changes = z.object({
  ...{ workspaceId, limit },
  since: field.optionalInstant(),
  cursor: field.optionalText(200),
});

export function decodeListChangedAssets(request: ListChangedAssetsRequest): ListChangedAssets {
  const { cursor, ...rest } = parse(changes, request);
  return { ...rest, cursor: cursor === undefined ? undefined : decodeChangeCursor(cursor) };
}

/** Three parts: milliseconds of the position and of the beginning, and an id. */
const CURSOR = /^(\d{1,15})\.(\d{1,15})\.([a-z0-9_]{1,64})$/;

export function encodeChangeCursor({ at, id, startedAt }: ChangeCursor): string {
  return Buffer.from(`${at.getTime()}.${startedAt.getTime()}.${id}`).toString("base64url");
}

/** @throws AppError VALIDATION_FAILED on `cursor` unless encodeChangeCursor made it */
export function decodeChangeCursor(cursor: string): ChangeCursor {
  const parts = CURSOR.exec(Buffer.from(cursor, "base64url").toString());
  const [, at, startedAt, id] = parts ?? [];
  const decoded = { at: new Date(Number(at)), startedAt: new Date(Number(startedAt)), id: id ?? "" };
  if (!parts || encodeChangeCursor(decoded) !== cursor) {
    throw invalid([{ field: "cursor", message: "is not a cursor of this list" }]);
  }
  return decoded;
}
