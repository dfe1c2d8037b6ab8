/** A group of locations, and the readers in it. */
export type Zone = {
  id: string;
  workspaceId: string;
  name: string;
  locationIds: string[];
  readerIds: string[];
  createdAt: Date;
  rev: number;
};
