import { DepreciationProfileService } from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../context.ts";
import { decodeSaveProfile } from "../decode/profile.ts";
import { encodeProfile } from "../encode/profile.ts";
import { findAsset } from "../operations/profiles/find-asset.ts";
import { saveProfile } from "../operations/profiles/save-profile.ts";

export function depreciationProfileService(context: Context): Implementation {
  const { stores } = context;
  return implement(DepreciationProfileService, {
    saveProfile: command(
      decodeSaveProfile,
      (input, call) => saveProfile(context, input, call),
      ({ profile, currency, created }) => ({ profile: encodeProfile(profile, currency), created }),
    ),

    async getProfile({ id }, { workspaceId }) {
      const profile = requireFound(await stores.profiles.get(workspaceId, id), "depreciation profile");
      const { currency } = await requireWorkspace(context, workspaceId);
      return { profile: encodeProfile(profile, currency) };
    },

    async listProfiles({ assetId, page }, call) {
      const { workspaceId } = call;
      await findAsset(context, assetId, call);
      const { currency } = await requireWorkspace(context, workspaceId);
      const found = await stores.profiles.listOfAsset(workspaceId, assetId, pageRequest(page));
      const profiles = found.items.map((profile) => encodeProfile(profile, currency));
      return { profiles, page: pageInfo(found) };
    },
  });
}
