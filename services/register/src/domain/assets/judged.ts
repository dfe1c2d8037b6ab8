import { AppError } from "@asset-register/runtime";

/** A valid row of several, or why it is refused. */
export type Judged<T> = T | { error: AppError };

/** The result of a rule, or the error with which it refuses. */
export function attempt<T>(rule: () => T): Judged<T> {
  try {
    return rule();
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

/** Runs one rule of several. `otherwise` takes the place of its result where what it throws is collected. */
export type Check = <T>(rule: () => T, otherwise: T) => T;

/** The first rule that refuses ends the judgement. */
export const throwing: Check = (rule) => rule();

/** All rules are judged, so that a caller learns every reason at once. */
export function collecting(errors: AppError[]): Check {
  return (rule, otherwise) => {
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(error);
      return otherwise;
    }
  };
}

export const isValid = <T extends object>(row: Judged<T>): row is Exclude<T, { error: AppError }> =>
  !("error" in row);
