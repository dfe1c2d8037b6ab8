import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Tag } from "../domain/tag.ts";
import { tagEvent } from "../published.ts";
import type { TagStore } from "../store/tags.ts";

type Deps = { mongo: Mongo; outbox: Outbox; tags: TagStore };

/** Takes every tag off assets that are gone. Done again, it finds none. */
export function freeTags({ mongo, outbox, tags }: Deps) {
  return async (workspaceId: string, assetIds: readonly string[]): Promise<void> => {
    if ((await tags.ofAssets(workspaceId, assetIds)).length === 0) return;
    const now = new Date();
    await mongo.transaction({}, async (session) => {
      for (const before of await tags.ofAssets(workspaceId, assetIds, session)) {
        const { assetId, boundAt: _, ...rest } = before;
        const after: Tag = { ...rest, rev: before.rev + 1 };
        if (await tags.replace(workspaceId, before, after, session)) {
          await outbox.add(session, tagEvent(after, assetId, now));
        }
      }
    });
  };
}
