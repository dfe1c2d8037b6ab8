import {
  AssetService,
  ChangeStatusRequestSchema,
  DisposalMethod,
  DisposeAssetRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { body, id, money, text } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { asset, assetPatch, writeNotes, writtenAssetSchema } from "../resources/asset.ts";
import type { Surface } from "../surface.ts";

const newStatusSchema = body({ status_id: id("sta"), note: Type.Optional(text) });
const toNewStatus = requestMessage(ChangeStatusRequestSchema, newStatusSchema);

const newDisposalSchema = body(
  {
    date: Type.Optional(
      Type.String({ format: "date", description: "Today in the time zone of the workspace by default" }),
    ),
    method: enumOf(DisposalMethod),
    proceeds: Type.Optional({ ...money, description: "Required for `sold` and `transferred`, otherwise 0" }),
    note: Type.Optional(text),
  },
  { examples: [{ date: "2026-01-31", method: "sold", proceeds: 120.5, note: "To a dealer" }] },
);
const toNewDisposal = requestMessage(DisposeAssetRequestSchema, newDisposalSchema);

/** Changes of one asset. */
export const assetWrites: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { act, patch, remove } = writeRoutes(app, clients, "b");

  patch("/assets/:id", {
    summary: "Change an asset",
    access: { capability: "edit" },
    rpc: AssetService.method.updateAsset,
    record: asset,
    patch: assetPatch,
    beside: { schema: writtenAssetSchema, present: (answer, given) => writeNotes(given, answer) },
  });

  remove("/assets/:id", {
    summary: "Delete an asset",
    access: { capability: "delete" },
    rpc: AssetService.method.deleteAsset,
  });

  act("/assets/:id/status", {
    summary: "Set the status of an asset",
    access: { capability: "edit" },
    rpc: AssetService.method.changeStatus,
    record: asset,
    body: newStatusSchema,
    toRequest: toNewStatus,
  });

  act("/assets/:id/dispose", {
    summary: "Dispose of an asset",
    access: { capability: "finance" },
    rpc: AssetService.method.disposeAsset,
    record: asset,
    body: newDisposalSchema,
    toRequest: toNewDisposal,
  });
};
