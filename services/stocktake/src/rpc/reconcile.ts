import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeSessionInput } from "../decode/session.ts";
import type { Session } from "../domain/session.ts";
import { encodeSession } from "../encode/session.ts";
import { closeSession } from "../operations/close/close-session.ts";
import { reconcileSession } from "../operations/reconcile/reconcile-session.ts";

const encode = (session: Session) => ({ session: encodeSession(session) });

export function reconcileService(context: Context): Implementation {
  return implement(ReconcileService, {
    reconcileSession: command(
      decodeSessionInput,
      (input, call) => reconcileSession(context, input, call),
      encode,
    ),
    closeSession: command(decodeSessionInput, (input, call) => closeSession(context, input, call), encode),
  });
}
