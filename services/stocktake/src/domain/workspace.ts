/** What this service knows of a workspace. */
export type WorkspaceProjection = { id: string; workspaceId: string; active: boolean; currency: string };
