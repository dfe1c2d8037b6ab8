import type { Actor } from "@asset-register/rpc";

/** A file about an asset. It never changes. */
export type Attachment = {
  id: string;
  workspaceId: string;
  assetId: string;
  name: string;
  description?: string | undefined;
  contentType: string;
  bytes: number;
  /** Of the content, in hex. */
  sha256: string;
  blobId: string;
  createdAt: Date;
  createdBy: Actor;
  /** Always 1. */
  rev: number;
};

/** An attachment, and whether its asset is disposed of. */
export type AttachmentView = { attachment: Attachment; disposed: boolean };
