/** Pages that a process keeps: a few for each of its long works. */
const MAX_KEPT = 8;

/**
 * Reads the page of the next step of a long work while the one before is judged and saved: otherwise the service and the
 * database are idle in turns. The save of a step must change nothing of the page. A failure of the reading is that of the
 * step that uses the page, and the retry reads again.
 */
export function createReadAhead<Step, Page>({
  read,
  keyOf,
}: {
  read: (step: Step) => Promise<Page>;
  /** Names the page: it is used by the step with the same key. */
  keyOf: (step: Step) => string;
}) {
  const pages = new Map<string, Promise<Page>>();

  return {
    /** The page of this step. */
    async page(step: Step): Promise<Page> {
      const key = keyOf(step);
      const known = pages.get(key);
      pages.delete(key);
      return known ?? read(step);
    },

    /** Begins to read the page of the next step. */
    begin(next: Step): void {
      const page = read(next);
      page.catch(() => {});
      // The oldest one is of a work that another process has continued.
      const [oldest] = pages.keys();
      if (pages.size >= MAX_KEPT && oldest !== undefined) pages.delete(oldest);
      pages.set(keyOf(next), page);
    },
  };
}
