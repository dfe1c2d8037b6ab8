import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate } from "../../../api/client.ts";
import { asApiError } from "../../../api/problem.ts";
import { notifyDone, notifyFailed } from "../../../parts/notify.tsx";
import { remember, revoke, revokeLeftReaders, whileUsed } from "./left-readers.ts";
import { postBatch, readerKey } from "./signed-batch.ts";
import { LENGTH_MS, readsAt } from "./simulated-reads.ts";

const EVERY_MS = 1_000;

type Progress = { sent: number; elapsedMs: number };

type Start = { name: string; zoneId: string; epcs: readonly string[] };

/**
 * A reader that this page plays: it is made at the start, and revoked at the end or when the page is left. That of a tab
 * that was killed is revoked when Live is opened again.
 */
export function useSimulation() {
  const { t } = useTranslation();
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  const stop = useCallback(() => running.current?.abort(), []);

  // Another screen, or another site: a request that goes on without the page revokes the reader.
  useEffect(() => {
    window.addEventListener("pagehide", stop);
    return () => {
      window.removeEventListener("pagehide", stop);
      stop();
    };
  }, [stop]);

  const start = async ({ name, zoneId, epcs }: Start): Promise<void> => {
    // The dialog can be closed, and opened again, before the reader of the first start is made.
    stop();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const body = { name, kind: "fixed_portal", zone_id: zoneId } as const;
    const { data: reader } = await api.POST("/readers", { body });
    if (reader === undefined) return;
    remember(reader.id);
    const end = (): void => {
      setProgress(undefined);
      void revoke(reader.id).then(rereadReaders, notifyFailed);
    };
    // The page may have been left while the reader was made.
    if (signal.aborted) return end();
    signal.addEventListener("abort", end);
    setProgress({ sent: 0, elapsedMs: 0 });
    void whileUsed(reader.id, () => play(reader, epcs, signal, setProgress))
      .then(() => notifyDone(t("simulation.ended")))
      // An abort is no failure.
      .catch((error: unknown) => !signal.aborted && notifyFailed(error))
      .finally(() => controller.abort());
  };

  /** A failure is retried when Live is opened again. */
  const tidy = useCallback(async (): Promise<void> => {
    const count = await revokeLeftReaders().catch(() => 0);
    if (count > 0) rereadReaders();
  }, []);

  return { progress, start, stop, tidy };
}

const rereadReaders = (): void => invalidate("/readers", "/zones", "/home");

export type Simulation = ReturnType<typeof useSimulation>;

type Reader = { id: string; secret: string };

/** Sends reads once a second until the time is over. */
async function play(
  { id, secret }: Reader,
  epcs: readonly string[],
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<void> {
  const key = await readerKey(secret);
  const startedAt = Date.now();
  let sent = 0;
  for (let elapsedMs = 0; elapsedMs < LENGTH_MS; elapsedMs = Date.now() - startedAt) {
    const ts = new Date().toISOString();
    const events = readsAt(epcs, elapsedMs).map((epc) => ({ epc, ts, antenna: 1 }));
    const response = await postBatch(id, key, events, signal);
    if (response.ok) sent += events.length;
    // A full or restarting server takes the reads of the next second.
    else if (response.status !== 429 && response.status !== 503)
      throw asApiError(response.status, await response.json().catch(() => undefined));
    report({ sent, elapsedMs });
    await pause(EVERY_MS, signal);
  }
}

/** Ends early when the simulation ends. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop);
  });
}
