/** All pages of a list. */
export async function readAll<T>(
  limit: number,
  read: (page: {
    limit: number;
    cursor?: string;
  }) => Promise<{ items: T[]; nextCursor?: string | undefined }>,
) {
  const pages: T[][] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await read({ limit, ...(cursor !== undefined && { cursor }) });
    pages.push(items);
    if (nextCursor === undefined) return pages;
    cursor = nextCursor;
  }
}
