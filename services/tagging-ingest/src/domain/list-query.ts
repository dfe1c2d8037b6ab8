/** Which part of a list. */
export type ListQuery = { page: number; limit: number; cursor: string };
