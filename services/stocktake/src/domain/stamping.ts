import type { Actor } from "@asset-register/rpc";

/** The marking of the assets that a closed session has seen. */
export type Stamping = {
  /** The id of the session. */
  id: string;
  workspaceId: string;
  status: "stamping" | "done";
  progress: { done: number; total: number };
  /** The last asset that is marked. Empty at the beginning. */
  after: string;
  closedAt: Date;
  /** The auditor who closed the session. */
  by: Actor;
};
