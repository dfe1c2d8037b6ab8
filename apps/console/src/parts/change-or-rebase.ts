import i18next from "i18next";
import { ApiError } from "../api/problem.ts";

/**
 * Waits for a change of a record. After one by somebody else, `rebase` brings the form up to date, so that saving it again
 * applies what was typed.
 * @throws ApiError
 */
export async function changeOrRebase<T>(change: Promise<T>, rebase: () => Promise<void>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    await rebase();
    throw new ApiError(412, error.code, i18next.t("record.changed"), {}, error.requestId);
  }
}
