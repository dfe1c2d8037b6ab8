import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateSession, decodeSessionInput } from "../decode/session.ts";
import type { Session } from "../domain/session.ts";
import { encodeExpectedAsset, encodeSession } from "../encode/session.ts";
import { cancelSession } from "../operations/cancel-session.ts";
import { createSession } from "../operations/create-session.ts";
import { listExpectedAssets } from "../operations/list-expected-assets.ts";
import { openSession } from "../operations/open-session.ts";

const encode = (session: Session) => ({ session: encodeSession(session) });

export function stocktakeService(context: Context): Implementation {
  const { stores } = context;
  return implement(StocktakeService, {
    createSession: command(decodeCreateSession, (input, call) => createSession(context, input, call), encode),
    openSession: command(decodeSessionInput, (input, call) => openSession(context, input, call), encode),
    cancelSession: command(decodeSessionInput, (input, call) => cancelSession(context, input, call), encode),

    async getSession({ id }, { workspaceId }) {
      return encode(requireFound(await stores.sessions.get(workspaceId, id), "session"));
    },

    async listSessions({ page, inProgress }, { workspaceId }) {
      const found = await stores.sessions.list(workspaceId, { inProgress }, pageRequest(page));
      return { sessions: found.items.map(encodeSession), page: pageInfo(found) };
    },

    async listExpectedAssets({ sessionId, page }, { workspaceId }) {
      const found = await listExpectedAssets(context, workspaceId, sessionId, pageRequest(page));
      return { assets: found.items.map(encodeExpectedAsset), page: pageInfo(found) };
    },
  });
}
