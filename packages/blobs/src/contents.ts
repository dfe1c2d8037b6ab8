/** The place of one blob's bytes. */
export type Place = { workspaceId: string; id: string };

/** A store of bytes: MongoDB or S3. `blobs.ts` keeps the row of each blob in MongoDB in both cases. */
export type Contents = {
  readonly name: "mongo" | "s3";
  /** Stores content as it arrives. It may leave a part behind if the content fails; the caller then removes it. */
  write(place: Place, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** The content from the byte `from` on, which is inside it or 0. */
  read(place: Place, from: number): AsyncIterable<Uint8Array>;
  /** Removes complete and partial content. Missing content is no error. */
  remove(place: Place): Promise<void>;
  close(): void;
};
