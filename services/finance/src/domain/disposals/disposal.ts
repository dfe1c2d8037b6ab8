import type { JournalEntry } from "../ledger/journal.ts";
import type { AssetDisposal } from "../profiles/asset.ts";
import type { Book } from "../profiles/profile.ts";
import type { Period } from "../schedule/period.ts";

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
