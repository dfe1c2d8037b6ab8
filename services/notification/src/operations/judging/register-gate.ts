import type { Logger } from "@asset-register/runtime";

/** Options of each call. */
export type AskOptions = { deadlineMs: number };

export type RegisterGate = {
  /**
   * Asks the register, if `needed`. Does nothing for some seconds after a question that was not answered: what waits
   * for the answer is set aside, and others must not wait for it. It never throws.
   */
  ask(question: (options: AskOptions) => Promise<void>, needed: boolean): Promise<void>;
};

const DEADLINE_MS = 2000;
const CLOSED_MS = 5000;

/** Remembers that the register does not answer. */
export function createRegisterGate(logger: Logger): RegisterGate {
  let closedUntil = 0;
  return {
    async ask(question, needed) {
      if (!needed || performance.now() < closedUntil) return;
      try {
        await question({ deadlineMs: DEADLINE_MS });
      } catch (error) {
        closedUntil = performance.now() + CLOSED_MS;
        logger.warn({ err: error }, "the register does not answer: sightings that need it are set aside");
      }
    },
  };
}
