import type { ReconcileStep } from "./step.ts";

/** Pages that a process keeps: a few for each of its long works. */
const MAX_KEPT = 8;

/**
 * Reads the next page of a reconcile while the one before is judged and saved: otherwise the other services and the
 * database are idle in turns. A page is of assets or codes behind those of the one before, so its save changes nothing of
 * it. A failure of the reading is that of the step that uses the page, and the retry reads again.
 */
export function createReadAhead<Page>(read: (step: ReconcileStep) => Promise<Page>) {
  const pages = new Map<string, Promise<Page>>();

  return {
    /** The page of this step. */
    async page(step: ReconcileStep): Promise<Page> {
      const key = keyOf(step);
      const known = pages.get(key);
      pages.delete(key);
      return known ?? read(step);
    },

    /** Begins to read the page after `after`. */
    begin(step: ReconcileStep, after: string): void {
      const next = { ...step, run: { ...step.run, after } };
      const page = read(next);
      page.catch(() => {});
      // The oldest one is of a reconcile that another process has continued.
      const [oldest] = pages.keys();
      if (pages.size >= MAX_KEPT && oldest !== undefined) pages.delete(oldest);
      pages.set(keyOf(next), page);
    },
  };
}

const keyOf = ({ session, run }: ReconcileStep): string =>
  [session.workspaceId, session.id, run.until.toISOString(), run.seq, run.phase, run.after].join(" ");
