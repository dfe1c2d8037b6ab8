import { DepreciationProfileService } from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { DisposalService } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { byId, readRoutes } from "../http/read-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { depreciationDisposal, disposalFilters } from "../resources/depreciation-disposal.ts";
import { depreciationProfile, newProfileSchema, toSaveProfile } from "../resources/depreciation-profile.ts";
import type { Surface } from "../surface.ts";

const { listProfiles, getProfile, saveProfile } = DepreciationProfileService.method;

/** How assets are depreciated, and the accounts of their disposals. */
export const depreciationProfiles: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create } = writeRoutes(app, clients, "b");

  list("/assets/:id/depr-profiles", {
    summary: "List the depreciation profiles of an asset",
    access: { capability: "finance" },
    rpc: listProfiles,
    record: depreciationProfile,
    sorts: byId,
    path: (assetId) => ({ assetId }),
  });

  get("/depr-profiles/:id", {
    summary: "Retrieve one depreciation profile",
    access: { capability: "finance" },
    rpc: getProfile,
    record: depreciationProfile,
  });

  create("/assets/:id/depr-profiles", {
    summary: "Create or change the depreciation profile of an asset",
    description:
      "201 for the first one of the book, 200 for a change. A field that is left out stays; in a first profile of `book` it comes from the asset and its category. Fields of `book` that the asset has too are written there.",
    access: { capability: "finance" },
    rpc: saveProfile,
    record: depreciationProfile,
    collection: "/depr-profiles",
    body: newProfileSchema,
    toRequest: (given, caller, assetId) => toSaveProfile(assetId, given, caller),
    isNew: ({ created }) => created,
  });

  list("/depreciation/disposals", {
    summary: "List the accounts of disposals",
    access: { capability: "view" },
    rpc: DisposalService.method.listDisposals,
    record: depreciationDisposal,
    sorts: byId,
    query: disposalFilters,
  });
};
