/** What this service knows of a workspace. Its time zone decides what a day is. */
export type WorkspaceProjection = {
  id: string;
  workspaceId: string;
  active: boolean;
  currency: string;
  timeZone: string;
};
