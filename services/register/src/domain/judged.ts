import { AppError } from "@asset-register/runtime";

/** A valid row of several, or why it is refused. */
export type Judged<T> = T | { error: AppError };

/** What a rule returns, or why it refuses. */
export function attempt<T>(rule: () => T): Judged<T> {
  try {
    return rule();
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

export const isValid = <T extends object>(row: Judged<T>): row is Exclude<T, { error: AppError }> =>
  !("error" in row);
