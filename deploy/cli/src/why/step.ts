/** A step between a cause and its effect, as far as a command can see it from outside. */
export type Step = {
  /** Names the part: "outbox", "consumer". */
  step: string;
  /**
   * passed: the step is done. waits: it continues without help. stopped: nothing follows without help. unknown: it
   * can't be seen from outside.
   */
  state: "passed" | "waits" | "stopped" | "unknown";
  text: string;
  /** Advice for the operator. */
  advice?: string | undefined;
};

/** Steps in the order of cause and effect. The generator ends at the first step that is not passed. */
export type Steps<T = void> = AsyncGenerator<Step, T>;

export const passed = (step: string, text: string): Step => ({ step, state: "passed", text });
export const waits = (step: string, text: string, advice?: string): Step => ({
  ...{ step, state: "waits", text, advice },
});
export const stopped = (step: string, text: string, advice?: string): Step => ({
  ...{ step, state: "stopped", text, advice },
});
export const unknown = (step: string, text: string, advice?: string): Step => ({
  ...{ step, state: "unknown", text, advice },
});

/** Prints steps as they are found, and at the end where it stopped. With `json`, one object a step. */
export async function printSteps(steps: Steps, { json }: { json?: boolean }): Promise<void> {
  const open: Step[] = [];
  for await (const one of steps) {
    if (one.state !== "passed") open.push(one);
    console.log(json ? JSON.stringify(one) : lineOf(one));
  }
  if (!json) console.log(`\n${conclusionOf(open)}`);
}

function lineOf({ step, state, text, advice }: Step): string {
  const indent = " ".repeat(24);
  const line = `${state.padEnd(8)} ${step.padEnd(14)} ${text}`;
  return advice === undefined ? line : `${line}\n${indent}-> ${advice}`;
}

function conclusionOf(open: readonly Step[]): string {
  if (open.length === 0) return "Every step is done.";
  const verbs = {
    waits: "It waits at",
    stopped: "It stopped at",
    unknown: "It can't be seen behind",
    passed: "",
  };
  return open.map(({ step, state }) => `${verbs[state]} "${step}".`).join("\n");
}
