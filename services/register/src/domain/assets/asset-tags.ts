import type { Actor } from "@asset-register/rpc";
import { deterministicId } from "@asset-register/runtime";
import type { AssetTag } from "./asset.ts";
import type { HistoryEntry } from "./history.ts";

/** A tag as it is projected from tagging. A free tag has no asset. */
export type ProjectedTag = AssetTag & { workspaceId: string; assetId?: string | undefined };

/** The binding or freeing of a tag, for the history of its asset. */
export type TagAct = {
  action: "tagged" | "untagged";
  workspaceId: string;
  tagId: string;
  epc?: string | undefined;
  code?: string | undefined;
  assetId: string;
  /** Of the tag, after the act. */
  rev: number;
  at: Date;
  actor: Actor;
  requestId: string;
  note?: string | undefined;
};

/** The assets that tags are on, and those that acts name, each once. */
export const assetsOf = (
  tags: readonly Pick<ProjectedTag, "assetId">[],
  acts: readonly TagAct[],
): string[] => [...new Set([...tags, ...acts].flatMap(({ assetId }) => assetId ?? []))];

/** The history row of an act. A repeat has the same id, so it adds none. */
export function tagHistory({ action, rev, tagId, epc, code, ...row }: TagAct): HistoryEntry {
  const side = action === "tagged" ? "after" : "before";
  const values = { tag_id: tagId, epc, code };
  const changes = Object.entries(values).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, [side]: value }],
  );
  return { ...row, id: deterministicId("his", row.at, tagId, rev), action, changes };
}
