import { authorisedFetch } from "../../../api/authorised-fetch.ts";
import { ApiError } from "../../../api/problem.ts";

/** The ids of the simulated readers that may not be revoked yet: an entry each, since tabs write at the same time. */
const STORED = "asset-register.simulated.";
/** The browser gives the lock of a reader back when its tab ends, in whatever way. */
const LOCK = "asset-register.simulated.";

/** Keeps the id of a new reader until the reader is revoked. */
export const remember = (id: string): void => localStorage.setItem(STORED + id, "");
const forget = (id: string): void => localStorage.removeItem(STORED + id);

/** Plays a reader. Meanwhile, it is not one that a killed tab has left. */
export const whileUsed = (id: string, play: () => Promise<void>): Promise<void> =>
  navigator.locks.request(LOCK + id, play);

/** Without the client, which would wait before it sends: a page that is being closed sends now or never. */
export async function revoke(id: string): Promise<void> {
  await authorisedFetch(
    new Request(`/asset_manager_api/readers/${id}/revoke`, {
      method: "POST",
      keepalive: true,
      headers: { "idempotency-key": crypto.randomUUID() },
    }),
  );
  forget(id);
}

/** Revokes the readers that killed tabs have left. Returns how many there were. */
export async function revokeLeftReaders(): Promise<number> {
  const ids = Object.keys(localStorage).flatMap((key) =>
    key.startsWith(STORED) ? key.slice(STORED.length) : [],
  );
  for (const id of ids) {
    await navigator.locks.request(LOCK + id, { ifAvailable: true }, async (lock) => {
      if (lock === null) return;
      await revoke(id).catch((error: unknown) => {
        // Of another workspace, or of a demo that was made again.
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        forget(id);
      });
    });
  }
  return ids.length;
}
