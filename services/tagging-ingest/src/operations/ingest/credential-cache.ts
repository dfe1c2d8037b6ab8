import type { KeyObject } from "node:crypto";
import { limits } from "@asset-register/proto/limits";
import { AppError, type Keyring } from "@asset-register/runtime";
import { signingKey } from "../domain/signing.ts";
import type { CredentialStore, StoredCredential } from "../store/credentials.ts";
import { secretPlace } from "./secret-place.ts";

/** A reader's keys, ready for HMAC. */
export type Credential = {
  readerId: string;
  /** Absent for a reader that does not exist. */
  workspaceId?: string;
  version: number;
  loadedAt: number;
  keys: { key: KeyObject; endsAt: number }[];
};

export type CredentialCache = ReturnType<typeof createCredentialCache>;

/** 10,000 readers are a large fleet; beyond this the longest unused go. */
const MAX_ENTRIES = 50_000;
/** Bounds what a lost word of a change can do; see credential-versions.ts. */
const LIFE_MS = 10_000;
/** Readers that do not exist: long enough to bear a flood, short enough for one that is made now. */
const UNKNOWN_LIFE_MS = 1_000;
/** Apart from those in use, so that made-up ids push out no reader's. */
const MAX_UNKNOWN = 5_000;
/** A store that was away is not asked for so long. */
const AWAY_MS = 1_000;

/** The credentials in use, as KeyObjects: making one costs as much as several signatures. */
export function createCredentialCache(store: CredentialStore, keyring: Keyring, now: () => number) {
  const known = new Map<string, Credential>();
  const unknown = new Map<string, Credential>();
  let awayUntil = 0;

  function fromStore(
    { readerId, workspaceId, version, secrets }: StoredCredential,
    loadedAt: number,
  ): Credential {
    const keys = secrets.map(({ sealed, endsAt }) => ({
      key: signingKey(keyring.decrypt(sealed, secretPlace(readerId)).toString("utf8")),
      endsAt: endsAt?.getTime() ?? Number.POSITIVE_INFINITY,
    }));
    return { readerId, workspaceId, version, loadedAt, keys };
  }

  function keep(credential: Credential): void {
    const { readerId, workspaceId } = credential;
    // A Map keeps the order of insertion: the first is the longest unused.
    known.delete(readerId);
    unknown.delete(readerId);
    const [entries, most] = workspaceId === undefined ? [unknown, MAX_UNKNOWN] : [known, MAX_ENTRIES];
    entries.set(readerId, credential);
    if (entries.size <= most) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  }

  function cached(readerId: string, maxAgeMs: number): Credential | undefined {
    // No reader has such an id, which would be kept and asked for in all its length.
    if (readerId.length > limits.id) return withoutKeys(readerId, now());
    const entry = known.get(readerId) ?? unknown.get(readerId);
    if (entry === undefined) return undefined;
    const life = entry.workspaceId === undefined ? UNKNOWN_LIFE_MS : LIFE_MS;
    return now() - entry.loadedAt < Math.min(life, maxAgeMs) ? entry : undefined;
  }

  return {
    /**
     * The credentials of these readers; those that are missing, or older than
     * `maxAgeMs`, are loaded together. An id without a reader has no keys;
     * those that can't be loaded now are absent.
     */
    async get(readerIds: Iterable<string>, maxAgeMs = LIFE_MS): Promise<Map<string, Credential>> {
      const found = new Map<string, Credential>();
      const missing: string[] = [];
      for (const id of new Set(readerIds)) {
        const entry = cached(id, maxAgeMs);
        if (entry === undefined) missing.push(id);
        else found.set(id, entry);
      }
      if (missing.length === 0) return found;
      const loadedAt = now();
      if (performance.now() < awayUntil) return found;
      const answer = await store.load(missing).catch(whenAway);
      if (answer === undefined) {
        // A call waits for all of its readers: it must not find out anew for each that the store hangs.
        awayUntil = performance.now() + AWAY_MS;
        return found;
      }
      const loaded = new Map(answer.map((stored) => [stored.readerId, stored]));
      for (const readerId of missing) {
        const stored = loaded.get(readerId);
        const credential =
          stored === undefined ? withoutKeys(readerId, loadedAt) : fromStore(stored, loadedAt);
        keep(credential);
        found.set(readerId, credential);
      }
      return found;
    },
  };
}

function withoutKeys(readerId: string, loadedAt: number): Credential {
  return { readerId, version: 0, loadedAt, keys: [] };
}

function whenAway(error: unknown): undefined {
  if (!(error instanceof AppError && error.kind === "unavailable")) throw error;
}
