import {
  AssetDirectoryService,
  type ChangeFinanceFieldsRequest,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { type Asset, AssetSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { Implementation } from "@asset-register/rpc";
import { conflict, newId, notFound } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

export type AssetFields = Exclude<MessageInitShape<typeof AssetSchema>, Asset>;

/** A fake of the register: its assets as they are now, with the rules that finance relies on. */
export function fakeRegister() {
  const workspaces = new Map<string, Map<string, Asset>>();
  const causes = new Map<string, { assetRev: number; changed: boolean }>();
  const requests: ChangeFinanceFieldsRequest[] = [];
  let beforePage = async (): Promise<void> => undefined;
  let afterChange = async (_: Asset): Promise<void> => undefined;

  const assetsOf = (workspaceId: string): Map<string, Asset> => {
    const own = workspaces.get(workspaceId) ?? new Map<string, Asset>();
    workspaces.set(workspaceId, own);
    return own;
  };
  const statusKey = (asset: Asset): string => asset.statusId.replace("sta_", "") || "in_stock";

  /** The fields that a change writes and that differ. */
  function changesOf(before: Asset, request: ChangeFinanceFieldsRequest): Partial<Asset> {
    const { cost, salvageValue, usefulLifeMonths, inServiceDate, depreciationMethod } = request;
    const given = { cost, salvageValue, usefulLifeMonths, inServiceDate, depreciationMethod };
    const key = (value: unknown) =>
      JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one));
    return Object.fromEntries(
      Object.entries(given).filter(
        ([name, value]) => value !== undefined && key(value) !== key(Reflect.get(before, name)),
      ),
    );
  }

  const implementations: Implementation[] = [
    serving(AssetDirectoryService, {
      resolveAssets: ({ workspaceId, assetIds }) => ({
        assets: assetIds.flatMap((id) => {
          const asset = assetsOf(workspaceId).get(id);
          return asset === undefined ? [] : [{ asset, statusKey: statusKey(asset) }];
        }),
      }),
      async listChangedAssets({ workspaceId, cursor, limit }) {
        await beforePage();
        const all = [...assetsOf(workspaceId).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
        const left = all.filter(({ id }) => cursor === undefined || id > cursor);
        const page = left.slice(0, limit);
        return {
          assets: page.map((asset) => ({ asset, statusKey: statusKey(asset) })),
          ...(left.length > limit
            ? { nextCursor: page.at(-1)?.id }
            : { nextSince: timestampFromDate(new Date()) }),
        };
      },
      async changeFinanceFields(request) {
        const { workspaceId, assetId, causeId } = request;
        const known = causes.get(causeId);
        if (known !== undefined) return known;
        const before = assetsOf(workspaceId).get(assetId);
        if (before === undefined || before.deletedAt) throw notFound("asset", "asset_id");
        if (before.disposed)
          throw conflict("ASSET_DISPOSED", "The asset has been disposed of.", [
            { field: "asset_id", message: assetId },
          ]);
        requests.push(request);
        const changes = changesOf(before, request);
        const changed = Object.keys(changes).length > 0;
        const rev = before.rev + (changed ? 1 : 0);
        const after = create(AssetSchema, { ...before, ...changes, rev });
        assetsOf(workspaceId).set(assetId, after);
        const answer = { assetRev: rev, changed };
        causes.set(causeId, answer);
        await afterChange(after);
        return answer;
      },
    }),
  ];

  return {
    implementations,
    /** The calls of ChangeFinanceFields that were no repeats. */
    requests,
    /** Stores an asset as register has it now, without an event. Its id. */
    put(workspaceId: string, fields: AssetFields = {}): string {
      const id = fields.id ?? newId("ast");
      const before = assetsOf(workspaceId).get(id) ?? create(AssetSchema, { name: "Press" });
      const given = create(AssetSchema, { rev: before.rev + 1, ...fields, id });
      const names = ["id", "rev", ...Object.keys(fields)];
      const values = Object.fromEntries(names.map((name) => [name, Reflect.get(given, name)]));
      assetsOf(workspaceId).set(id, create(AssetSchema, { ...before, ...values }));
      return id;
    },
    get: (workspaceId: string, id: string): Asset | undefined => assetsOf(workspaceId).get(id),
    /** Calls a function before each page of changed assets is answered. */
    onPage(wait: typeof beforePage): void {
      beforePage = wait;
    },
    /** Calls a function after a change of finance fields is stored, before it is answered. */
    onChange(wait: typeof afterChange): void {
      afterChange = wait;
    },
  };
}
