/** What the register needs to know of a workspace: a projection of `workspace` events. */
export type WorkspaceProjection = {
  id: string;
  /** The same as the id. */
  workspaceId: string;
  active: boolean;
  timeZone: string;
  currency: string;
  numberPrefix: string;
};
