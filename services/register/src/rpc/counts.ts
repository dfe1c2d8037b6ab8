import { CountService } from "@asset-register/proto/assetregister/register/v1/count_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeConfirmCount, decodeMarkCounted, decodeMarkLost } from "../decode/count.ts";
import { confirmCount } from "../operations/counts/confirm-count.ts";
import { markCounted } from "../operations/counts/mark-counted.ts";
import { markLost } from "../operations/counts/mark-lost.ts";

/** Effects of stock-takes, which name the workspace themselves. */
export function countService(context: Context): Implementation {
  return implement(CountService, {
    confirmCount: command(
      decodeConfirmCount,
      (input, call) => confirmCount(context, input, call),
      ({ assetRev, movementId }) => ({ changed: movementId !== undefined, movementId, assetRev }),
    ),

    markLost: command(
      decodeMarkLost,
      (input, call) => markLost(context, input, call),
      ({ assetRev }) => ({ assetRev }),
    ),

    markCounted: command(
      decodeMarkCounted,
      (input, call) => markCounted(context, input, call),
      () => ({}),
    ),
  });
}
