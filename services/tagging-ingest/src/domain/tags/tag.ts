import type { TagIdentity, TagType } from "./tag-identity.ts";

/** A label or chip. It is bound to at most one asset. `key` is unique in the workspace. */
export type Tag = TagIdentity & {
  id: string;
  workspaceId: string;
  /** Absent while the tag is free. */
  assetId?: string | undefined;
  boundAt?: Date | undefined;
  /** The asset that it was on before, and when it was freed. */
  lastAssetId?: string | undefined;
  unboundAt?: Date | undefined;
  createdAt: Date;
  /** The first and the last sighting while it was free. */
  firstSeenAt?: Date | undefined;
  lastSeenAt?: Date | undefined;
  /** It was read in one second only, faintly (ghost.ts). Nobody has bound it. */
  ghost?: true | undefined;
  /** The work of another service that made it, and for which asset. */
  cause?: { id: string; assetId: string } | undefined;
  rev: number;
};

/** A bound tag after it was freed. */
export function freed(tag: Tag, at: Date): Tag {
  const { assetId: lastAssetId } = tag;
  return { ...tag, assetId: undefined, boundAt: undefined, lastAssetId, unboundAt: at, rev: tag.rev + 1 };
}

/** The tag whose code the label of an asset has: the newest one that is printed. Undefined without one. */
export function printedTag<T extends Pick<Tag, "id" | "type" | "code" | "boundAt">>(
  tags: readonly T[],
): (T & { code: string }) | undefined {
  const printed = tags.filter(
    (tag): tag is T & { code: string } =>
      (tag.type === "qr" || tag.type === "barcode") && tag.code !== undefined,
  );
  const age = ({ boundAt }: T) => boundAt?.getTime() ?? 0;
  return printed.toSorted((a, b) => age(b) - age(a) || (a.id < b.id ? 1 : -1))[0];
}

/** Which tags a list has; absent means any. */
export type TagFilter = {
  type?: TagType | undefined;
  assigned?: boolean | undefined;
  assetId?: string | undefined;
  /** False: all others. */
  ghost?: boolean | undefined;
};

/** The copy of an asset that tagging keeps. The row stays when the asset is disposed of or deleted. */
export type AssetMark = {
  id: string;
  /** Disposed or deleted: it takes no tag, and its tags were freed. */
  gone: boolean;
};
