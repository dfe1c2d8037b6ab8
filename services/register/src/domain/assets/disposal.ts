import type { Actor } from "@asset-register/rpc";

export type DisposalMethod = "sold" | "scrapped" | "donated" | "lost" | "transferred";

/** The end of an asset's life. */
export type Disposal = {
  at: Date;
  /** YYYY-MM-DD. */
  date: string;
  method: DisposalMethod;
  /** In minor units. */
  proceeds?: number | undefined;
  note?: string | undefined;
  by: Actor;
};
