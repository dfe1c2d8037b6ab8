/** Why requests wait for the user, beside an ended session: they go on when the user has done it. */
type Waiting = {
  /** A request needs a recent sign-in: a dialog asks the user to confirm who they are. */
  reauthentication: boolean;
  /** The workspace requires a second factor, which the user sets up first. */
  enrolment: boolean;
};

let waiting: Waiting = { reauthentication: false, enrolment: false };
const listeners = new Set<() => void>();
const asked = new Set<(confirmed: boolean) => void>();

function set(change: Partial<Waiting>): void {
  waiting = { ...waiting, ...change };
  for (const listener of listeners) listener();
}

export const gate = {
  get: (): Waiting => waiting,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Asks the user to confirm who they are. False if the user does not. Requests that wait share one question. */
  reauthenticated: (): Promise<boolean> =>
    new Promise((resolve) => {
      asked.add(resolve);
      set({ reauthentication: true });
    }),
  /** The answer of the dialog. */
  confirm(confirmed: boolean): void {
    for (const answer of asked) answer(confirmed);
    asked.clear();
    set({ reauthentication: false });
  },
  requireEnrolment: (): void => set({ enrolment: true }),
  /** A second factor was set up, or another user signs in. */
  open: (): void => set({ enrolment: false }),
};
