import { ScopeType } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import {
  type ExpectedAssetSchema,
  type SessionSchema,
  SessionStatus,
} from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { encodeActor, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ExpectedAsset } from "../domain/expected-asset.ts";
import { hidesExpected, isStale, type Session } from "../domain/session.ts";

export const scopeTypeNames = enumNames(ScopeType);
export const sessionStatusNames = enumNames(SessionStatus);

/** A session as callers see it: a blind one hides what is expected until its first reconcile. */
export function encodeSession(session: Session): MessageInitShape<typeof SessionSchema> {
  const { workspaceId: _, openedTo: __, eventCount: ___, run: ____, ...shown } = session;
  const { result: _____, resolutions: ______, ...record } = shown;
  const { expected, progress } = record;
  return {
    ...encodeInstants(record),
    scopeType: scopeTypeNames.encode(record.scopeType),
    status: sessionStatusNames.encode(record.status),
    createdBy: encodeActor(record.createdBy),
    stale: isStale(session),
    ...(hidesExpected(session) ? hidden(session) : { expected, progress }),
  };
}

/** The progress of a finished opening is the number of the expected assets, so only that of work is shown. */
function hidden({ status, progress }: Session) {
  const working = status === "opening" || status === "reconciling";
  return { expected: undefined, progress: { done: working ? progress.done : 0, total: undefined } };
}

export const encodeExpectedAsset = ({
  id: _,
  workspaceId: __,
  sessionId: ___,
  ...row
}: ExpectedAsset): MessageInitShape<typeof ExpectedAssetSchema> => row;
