import type { KeyObject } from "node:crypto";
import { limits } from "@asset-register/proto/limits";
import { AppError, type Keyring } from "@asset-register/runtime";
import { secretPlace } from "../../domain/ingest/reader-secret.ts";
import { signingKey } from "../../domain/ingest/signing.ts";
import type { CredentialStore, StoredCredential } from "../../store/ingest/credentials.ts";

/** The keys of a reader, ready for HMAC. */
export type Credential = {
  readerId: string;
  /** Absent for a reader that does not exist. */
  workspaceId?: string | undefined;
  version: number;
  loadedAt: number;
  /** Whether its workspace has the plan enterprise. */
  enterprise: boolean;
  /** How far its clock is known to be slow. */
  slowMs: number;
  keys: { key: KeyObject; endsAt: number }[];
};

export type CredentialCache = ReturnType<typeof createCredentialCache>;

/** 10,000 readers are a large fleet. With more entries than this, those go that were unused for longest. */
const MAX_ENTRIES = 50_000;
/** How long a changed secret is trusted when Redis lost the change; see credential-versions.ts. */
const LIFE_MS = 10_000;
/** For readers that do not exist: long enough for a flood of requests, short enough for a reader that is just created. */
const UNKNOWN_LIFE_MS = 1_000;
/** Readers that do not exist are kept apart, so that invented ids do not push out real readers. */
const MAX_UNKNOWN = 5_000;
/** A store that was unavailable is not asked for this long. */
const UNAVAILABLE_MS = 1_000;

/** The credentials in use, as KeyObjects: to make one costs as much as several signatures. */
export function createCredentialCache(store: CredentialStore, keyring: Keyring, now: () => Date) {
  const known = new Map<string, Credential>();
  const unknown = new Map<string, Credential>();
  let unavailableUntil = 0;

  function fromStore(
    { readerId, workspaceId, version, enterprise, slowMs, secrets }: StoredCredential,
    loadedAt: number,
  ): Credential {
    const before = known.get(readerId);
    if (before?.version === version && before.keys.length === secrets.length) {
      return { ...before, enterprise, slowMs, loadedAt };
    }
    const keys = secrets.map(({ sealed, endsAt }) => ({
      key: signingKey(keyring.decrypt(sealed, secretPlace(readerId)).toString("utf8")),
      endsAt: endsAt?.getTime() ?? Number.POSITIVE_INFINITY,
    }));
    return { readerId, workspaceId, version, loadedAt, enterprise, slowMs, keys };
  }

  function keep(credential: Credential): void {
    const { readerId, workspaceId } = credential;
    // A Map keeps the order of insertion: the first was unused for longest.
    known.delete(readerId);
    unknown.delete(readerId);
    const [entries, most] = workspaceId === undefined ? [unknown, MAX_UNKNOWN] : [known, MAX_ENTRIES];
    entries.set(readerId, credential);
    if (entries.size <= most) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  }

  function cached(readerId: string, maxAgeMs: number, at: number): Credential | undefined {
    // No reader has such a long id. It is neither kept nor asked for.
    if (readerId.length > limits.id) return withoutKeys(readerId, at);
    const entry = known.get(readerId) ?? unknown.get(readerId);
    if (entry === undefined) return undefined;
    const life = entry.workspaceId === undefined ? UNKNOWN_LIFE_MS : LIFE_MS;
    return at - entry.loadedAt < Math.min(life, maxAgeMs) ? entry : undefined;
  }

  return {
    /**
     * The credentials of these readers. Missing ones, and ones older than `maxAgeMs`, are loaded together. An id
     * without a reader has no keys. Credentials that can't be loaded now are absent.
     */
    async get(readerIds: Iterable<string>, maxAgeMs = LIFE_MS): Promise<Map<string, Credential>> {
      const found = new Map<string, Credential>();
      const missing: string[] = [];
      const at = now().getTime();
      for (const id of new Set(readerIds)) {
        const entry = cached(id, maxAgeMs, at);
        if (entry === undefined) missing.push(id);
        else found.set(id, entry);
      }
      if (missing.length === 0) return found;
      if (performance.now() < unavailableUntil) return found;
      const answer = await store.load(missing, maxAgeMs < LIFE_MS).catch(ifUnavailable);
      if (answer === undefined) {
        // A call waits for all of its readers: it must not wait again for each while the store hangs.
        unavailableUntil = performance.now() + UNAVAILABLE_MS;
        return found;
      }
      const loaded = new Map(answer.map((stored) => [stored.readerId, stored]));
      for (const readerId of missing) {
        const stored = loaded.get(readerId);
        const credential = stored === undefined ? withoutKeys(readerId, at) : fromStore(stored, at);
        keep(credential);
        found.set(readerId, credential);
      }
      return found;
    },
  };
}

function withoutKeys(readerId: string, loadedAt: number): Credential {
  return { readerId, version: 0, loadedAt, enterprise: false, slowMs: 0, keys: [] };
}

function ifUnavailable(error: unknown): undefined {
  if (!(error instanceof AppError && error.kind === "unavailable")) throw error;
}
