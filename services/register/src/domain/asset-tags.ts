import type { Actor } from "@asset-register/rpc";
import { deterministicId } from "@asset-register/runtime";
import type { AssetTag } from "./asset.ts";
import type { HistoryEntry } from "./history.ts";

/** A tag as it is projected from tagging. A free tag has no asset. */
export type ProjectedTag = AssetTag & { workspaceId: string; assetId?: string | undefined };

/** What happened to a tag, for the history of its asset. */
export type TagAct = {
  action: "tagged" | "untagged";
  assetId: string;
  /** Of the tag, after the act. */
  rev: number;
  at: Date;
  actor: Actor;
  requestId: string;
  note?: string | undefined;
};

/** A tag's state and the sequence of the event that carried it. Without a tag, it is removed. */
export type TagChange = {
  workspaceId: string;
  tagId: string;
  epoch: number;
  sequence: number;
  tag?: ProjectedTag | undefined;
  act?: TagAct | undefined;
};

/** The assets that an event names, before or after it. */
export const assetsOf = ({ tag, act }: TagChange): string[] =>
  [tag?.assetId, act?.assetId].filter((id) => id !== undefined);

/** The history row of an act. A repeat has the same id, so it adds none. */
export function tagHistory({ workspaceId, tagId, tag, act }: TagChange): HistoryEntry[] {
  if (act === undefined) return [];
  const { action, rev, ...row } = act;
  const side = action === "tagged" ? "after" : "before";
  const values = { tag_id: tagId, epc: tag?.epc, code: tag?.code };
  const changes = Object.entries(values).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, [side]: value }],
  );
  return [{ ...row, id: deterministicId("his", act.at, tagId, rev), workspaceId, action, changes }];
}
