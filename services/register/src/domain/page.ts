/** Which part of a list is wanted. */
export type PageWanted = { page: number; limit: number; cursor?: string | undefined };

/** A part of a list, and the exact number of all that fit. */
export type PageOf<T> = {
  items: T[];
  page: number;
  limit: number;
  total: number;
  nextCursor?: string | undefined;
};
