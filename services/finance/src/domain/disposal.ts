import type { AssetDisposal } from "./asset.ts";
import type { JournalEntry } from "./journal.ts";
import type { Period } from "./period.ts";
import type { Book } from "./profile.ts";

export type DisposalStatus = "pending" | "accounted";

/** The accounts of the disposal of an asset in a book. Amounts are minor units. */
export type Disposal = AssetDisposal & {
  /** "dsp_..." */
  id: string;
  workspaceId: string;
  assetId: string;
  book: Book;
  status: DisposalStatus;
  progress: { done: number; total: number };
  /** The following are absent while it is pending. */
  nbvAtDisposal?: number | undefined;
  accumulated?: number | undefined;
  /** Proceeds less NBV. */
  gainLoss?: number | undefined;
  bookedIn?: Period | undefined;
  journal?: JournalEntry[] | undefined;
  createdAt: Date;
};
