import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { notFound, requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCheckoutFilter,
  decodeCreateCheckout,
  decodeCreateMovement,
  decodeReturnCheckout,
} from "../decode/custody.ts";
import { withOverdue } from "../domain/custody/checkout.ts";
import { encodeAssetForServices } from "../encode/asset.ts";
import { encodeCheckout, encodeMovement } from "../encode/custody.ts";
import { createCheckout } from "../operations/custody/create-checkout.ts";
import { createMovement } from "../operations/custody/create-movement.ts";
import { returnCheckout } from "../operations/custody/return-checkout.ts";

export function custodyService(context: Context): Implementation {
  const { stores, now } = context;

  async function assertAssetOfPath(
    workspaceId: string,
    { assetId, assetMustExist }: { assetId?: string | undefined; assetMustExist: boolean },
  ): Promise<void> {
    // The lists below a deleted asset still answer.
    if (assetMustExist && !(await stores.assets.everExisted(workspaceId, assetId ?? ""))) {
      throw notFound("asset");
    }
  }

  return implement(CustodyService, {
    createMovement: command(
      decodeCreateMovement,
      (input, call) => createMovement(context, input, call),
      ({ asset, movement }) => ({
        asset: encodeAssetForServices(asset),
        movement: movement && encodeMovement(movement),
        changed: movement !== undefined,
      }),
    ),

    async getMovement({ id }, { workspaceId }) {
      const movement = requireFound(await stores.movements.get(workspaceId, id), "movement");
      return { movement: encodeMovement(movement) };
    },

    async listMovements(request, { workspaceId }) {
      await assertAssetOfPath(workspaceId, request);
      const { assetId } = request;
      const found = await stores.movements.list(workspaceId, { assetId }, pageRequest(request.page));
      return { movements: found.items.map(encodeMovement), page: pageInfo(found) };
    },

    createCheckout: command(
      decodeCreateCheckout,
      (input, call) => createCheckout(context, input, call),
      (checkout) => ({ checkout: encodeCheckout(checkout) }),
    ),

    returnCheckout: command(
      decodeReturnCheckout,
      (input, call) => returnCheckout(context, input, call),
      (checkout) => ({ checkout: encodeCheckout(checkout) }),
    ),

    async getCheckout({ id }, { workspaceId }) {
      const checkout = requireFound(await stores.checkouts.get(workspaceId, id), "checkout");
      return { checkout: encodeCheckout(withOverdue(checkout, now())) };
    },

    async listCheckouts(request, { workspaceId }) {
      await assertAssetOfPath(workspaceId, request);
      const at = now();
      const filter = decodeCheckoutFilter(request);
      const found = await stores.checkouts.list(workspaceId, filter, at, pageRequest(request.page));
      const checkouts = found.items.map((checkout) => encodeCheckout(withOverdue(checkout, at)));
      return { checkouts, page: pageInfo(found) };
    },
  });
}
