import type { ClientSession, Mongo } from "@asset-register/mongo";
import type { CustomFieldValue } from "../../domain/custom-fields/custom-field.ts";
import { assetRecords } from "../assets/asset-records.ts";

/** An asset and its value of one field. */
export type AssetValue = { assetId: string; value: CustomFieldValue };

/** The values of one field in all assets, for the work that makes the field unique. */
export function createCustomValueStore(mongo: Mongo) {
  const { collection, find } = assetRecords.store(mongo);
  return {
    countAssets: (workspaceId: string): Promise<number> =>
      collection.countDocuments({ workspaceId, deleted: false }),

    /** The next assets in order of id, and which of them have a value of the field. */
    async page(
      workspaceId: string,
      key: string,
      after: string,
      limit: number,
    ): Promise<{ read: number; last: string | undefined; withValue: string[] }> {
      const path = `customFields.${key}`;
      const rows = await collection
        .find<{ _id: string; customFields?: object }>(
          { workspaceId, deleted: false, _id: { $gt: after } },
          { projection: { [path]: 1 }, sort: { _id: 1 }, limit },
        )
        .toArray();
      const withValue = rows.filter(({ customFields = {} }) => Object.hasOwn(customFields, key));
      return { read: rows.length, last: rows.at(-1)?._id, withValue: withValue.map(({ _id }) => _id) };
    },

    /** The present values of assets. Other writes of these assets wait until the transaction ends. */
    async lockValues(
      workspaceId: string,
      key: string,
      ids: string[],
      session: ClientSession,
    ): Promise<AssetValue[]> {
      if (ids.length === 0) return [];
      const filter = { workspaceId, deleted: false, _id: { $in: ids } };
      await collection.updateMany(filter, [{ $set: { valuesComparedAt: "$$NOW" } }], { session });
      const assets = await find(workspaceId, { deleted: false, _id: { $in: ids } }, { session });
      return assets.flatMap(({ id: assetId, customFields = {} }) =>
        Object.entries(customFields).flatMap(([name, value]) => (name === key ? [{ assetId, value }] : [])),
      );
    },
  };
}
