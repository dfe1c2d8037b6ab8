import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { OrganisationDirectoryService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import type { Implementation } from "@asset-register/rpc";
import { AppError, newId, notFound } from "@asset-register/runtime";
import { knownIds, serving } from "@asset-register/service-harness";

/** A fake of the register: its assets, and the assets of its categories. */
export function fakeRegister() {
  const [assets, categories] = [knownIds(), knownIds()];
  const members = new Map<string, string[]>();
  const categoryOf = new Map<string, string>();
  let tooLarge = false;
  let beforePage = async (_afterId: string): Promise<void> => undefined;
  let beforeAnswer = async (): Promise<void> => undefined;

  const implementations: Implementation[] = [
    serving(AssetDirectoryService, {
      async resolveAssets({ workspaceId, assetIds }) {
        const found = assets.existing(workspaceId, assetIds).existingIds.map((id) => ({
          asset: { id, name: "Fresh drill", rev: 1, categoryId: categoryOf.get(id) },
        }));
        await beforeAnswer();
        return { assets: found };
      },
      async listScope({ scopeId = "", afterId = "", limit }) {
        if (limit > 1) await beforePage(afterId);
        const all = members.get(scopeId);
        if (all === undefined) throw notFound("record", "scope_id");
        if (tooLarge) {
          throw new AppError({ kind: "conflict", code: "TREE_TOO_LARGE", message: "The tree is too large." });
        }
        const left = all.filter((id) => id > afterId);
        const page = left.slice(0, limit);
        return {
          assets: page.map((id) => ({ id })),
          ...(left.length > limit && { nextAfterId: page.at(-1) }),
          ...(afterId === "" && { total: all.length }),
        };
      },
    }),
    serving(OrganisationDirectoryService, {
      resolveRecords: ({ workspaceId, ids }) => categories.existing(workspaceId, ids),
    }),
  ];

  return {
    implementations,
    /** Assets whose events have not arrived. */
    assets,
    /** A new category of `count` assets. Returns its id and theirs in order. */
    newCategory(workspaceId: string, count: number): { categoryId: string; assetIds: string[] } {
      const categoryId = categories.add(workspaceId, newId("cat"));
      const assetIds = Array.from({ length: count }, () => newId("ast")).sort();
      for (const id of assetIds) {
        assets.add(workspaceId, id);
        categoryOf.set(id, categoryId);
      }
      members.set(categoryId, assetIds);
      return { categoryId, assetIds };
    },
    /** Moves an asset out of its category. */
    leave(categoryId: string, assetId: string): void {
      members.set(categoryId, members.get(categoryId)?.filter((id) => id !== assetId) ?? []);
      categoryOf.delete(assetId);
    },
    setAssets(categoryId: string, assetIds: readonly string[]): void {
      members.set(categoryId, [...assetIds].sort());
    },
    removeCategory(workspaceId: string, categoryId: string): void {
      members.delete(categoryId);
      categories.delete(workspaceId, categoryId);
    },
    /** Whether each scope is TREE_TOO_LARGE. */
    setTooLarge(value: boolean): void {
      tooLarge = value;
    },
    /** Calls a function before each page is answered, with the id that it begins after: "" for the first one. */
    onPage(wait: typeof beforePage): void {
      beforePage = wait;
    },
    /** Calls a function when assets have been resolved, before the answer is sent. */
    onResolved(wait: typeof beforeAnswer): void {
      beforeAnswer = wait;
    },
  };
}
