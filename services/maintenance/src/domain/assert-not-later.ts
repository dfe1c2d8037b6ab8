import { invalid } from "@asset-register/runtime";

/** @throws AppError VALIDATION_FAILED on the field, for a date after today. Both are YYYY-MM-DD. */
export function assertNotLater(field: string, date: string | undefined, today: string): void {
  if (date !== undefined && date > today) throw invalid([{ field, message: `must not be after ${today}` }]);
}
