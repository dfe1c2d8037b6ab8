import { eventually } from "@asset-register/harness";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import {
  type DepreciationProfile,
  DepreciationProfileService,
  type SaveProfileRequestSchema,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { newId, requireFound } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AssetFields } from "../fake-register.ts";
import { assetEvent, eur, type Finance, type Workspace } from "../support.ts";

/** 1,200.00 over a year from 2026-01-01. */
export const straightLine = {
  cost: eur("1200.00"),
  usefulLifeMonths: 12,
  inServiceDate: "2026-01-01",
  depreciationMethod: DepreciationMethod.STRAIGHT_LINE,
} as const satisfies AssetFields;

export const sameAsProfile = {
  cost: straightLine.cost,
  lifeMonths: 12,
  inServiceDate: straightLine.inServiceDate,
  method: DepreciationMethod.STRAIGHT_LINE,
} as const;

type Save = Omit<MessageInitShape<typeof SaveProfileRequestSchema>, "$typeName" | "$unknown">;

/** Calls about the profiles of a workspace. */
export function profileCalls(finance: Finance, { id: workspaceId, accountant }: Workspace) {
  const profiles = finance.client(DepreciationProfileService);
  const { register, stores, publish } = finance;
  const page = { page: 1, limit: 50 };

  const profileOf = async (assetId: string, book = Book.BOOK): Promise<DepreciationProfile | undefined> =>
    (await profiles.listProfiles({ assetId, page }, accountant)).profiles.find((one) => one.book === book);

  /** Publishes the event of an asset as register has it now, or with another status. */
  const publishAsset = async (
    id: string,
    fields: AssetFields & { statusKey?: string } = {},
  ): Promise<void> => {
    const { statusKey, ...changed } = fields;
    if (Object.keys(changed).length > 0) register.put(workspaceId, { ...changed, id });
    const asset = requireFound(register.get(workspaceId, id));
    await publish(assetEvent(workspaceId, asset, statusKey));
  };

  return {
    ...{ profiles, profileOf, publishAsset },

    /** An asset that register has and this service has not heard of. */
    newAsset: (fields: AssetFields = {}): string =>
      register.put(workspaceId, { id: newId("ast"), ...fields }),

    /** An asset whose event has arrived. */
    async projected(fields: AssetFields = {}): Promise<string> {
      const id = register.put(workspaceId, { id: newId("ast"), ...fields });
      await publishAsset(id);
      await eventually(async () => requireFound(await stores.assets.get(workspaceId, id)));
      return id;
    },

    /** Waits until the events of an asset are handled: a later one of its partition makes a profile. */
    async handled(assetId: string): Promise<void> {
      const id = register.put(workspaceId, { id: newId("ast"), ...straightLine });
      const later = assetEvent(workspaceId, requireFound(register.get(workspaceId, id)));
      await publish({ ...later, key: `${workspaceId}:${assetId}` });
      await eventually(async () => requireFound(await stores.profiles.ofAsset(workspaceId, "book", id)));
    },

    save: (request: Save) => profiles.saveProfile(request, accountant),

    /** The newest published state of an asset, once it is as expected. */
    published: <T>(assetId: string, check: (state: ReturnType<typeof lastState>) => T): Promise<T> =>
      eventually(async () => check(lastState(finance, assetId))),

    /** Waits until the profile of book `book` is as expected. */
    eventuallyProfile: <T>(assetId: string, check: (profile: DepreciationProfile) => T): Promise<T> =>
      eventually(async () => check(requireFound(await profileOf(assetId), "depreciation profile"))),
  };
}

/** The last published state of an asset, amounts in minor units. */
export function lastState({ recorded }: Finance, assetId: string) {
  const event = recorded.depreciation.of(assetId).at(-1);
  const state = event?.message?.state;
  return {
    change: event?.message?.change.case,
    sequence: event?.sequence,
    nbv: state?.nbv?.minorUnits,
    accumulated: state?.accumulated?.minorUnits,
    gainLoss: state?.gainLoss?.minorUnits,
    pendingWriteOff: state?.pendingWriteOff,
    isDeleted: state?.deletedAt !== undefined,
  };
}
