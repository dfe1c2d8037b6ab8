import {
  CreateCheckoutResponseSchema,
  CreateMovementResponseSchema,
  CustodyService,
  ListCheckoutsResponseSchema,
  ListMovementsResponseSchema,
  ReturnCheckoutResponseSchema,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import { create } from "@bufbuild/protobuf";
import { viewAt } from "../domain/checkout.ts";
import { encodeAsset } from "../encode/asset.ts";
import { encodeCheckout } from "../encode/checkout.ts";
import { encodePage } from "../encode/common.ts";
import { encodeMovement } from "../encode/movement.ts";
import { createCheckout } from "../operations/create-checkout.ts";
import { createMovement } from "../operations/create-movement.ts";
import { returnCheckout } from "../operations/return-checkout.ts";
import type { Register } from "../register.ts";
import {
  decodeCheckoutFilter,
  decodeCreateCheckout,
  decodeCreateMovement,
  decodeReturnCheckout,
} from "./decode-custody.ts";
import { parsePage } from "./parse.ts";

export function custodyService(register: Register): Implementation {
  const { stores, now } = register;
  return implement(CustodyService, {
    createMovement: command(
      decodeCreateMovement,
      (input, call) => createMovement(register, input, call),
      ({ asset, movement }) =>
        create(CreateMovementResponseSchema, {
          asset: encodeAsset(asset),
          movement: movement && encodeMovement(movement),
          changed: movement !== undefined,
        }),
    ),

    async listMovements(request, { workspaceId }) {
      await requireAsset(register, workspaceId, request);
      const filter = { assetId: request.assetId || undefined };
      const found = await stores.movements.list(workspaceId, filter, parsePage(request.page));
      return create(ListMovementsResponseSchema, {
        movements: found.items.map(encodeMovement),
        page: encodePage(found),
      });
    },

    createCheckout: command(
      decodeCreateCheckout,
      (input, call) => createCheckout(register, input, call),
      (checkout) => create(CreateCheckoutResponseSchema, { checkout: encodeCheckout(checkout) }),
    ),

    returnCheckout: command(
      decodeReturnCheckout,
      (input, call) => returnCheckout(register, input, call),
      (checkout) => create(ReturnCheckoutResponseSchema, { checkout: encodeCheckout(checkout) }),
    ),

    async listCheckouts(request, { workspaceId }) {
      await requireAsset(register, workspaceId, request);
      const at = now();
      const filter = decodeCheckoutFilter(request);
      const found = await stores.checkouts.list(workspaceId, filter, at, parsePage(request.page));
      return create(ListCheckoutsResponseSchema, {
        checkouts: found.items.map((checkout) => encodeCheckout(viewAt(checkout, at))),
        page: encodePage(found),
      });
    },
  });
}

type OfAsset = { assetId: string; assetMustExist: boolean };

async function requireAsset(
  { stores }: Register,
  workspaceId: string,
  { assetId, assetMustExist }: OfAsset,
): Promise<void> {
  if (!assetMustExist || (await stores.assets.get(workspaceId, assetId))) return;
  throw notFound("There is no such asset.");
}
