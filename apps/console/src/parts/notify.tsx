import { notifications } from "@mantine/notifications";
import i18next from "i18next";
import { ApiError } from "../api/problem.ts";

export const notifyDone = (message: string): void =>
  void notifications.show({ message, color: "teal", autoClose: 4_000 });

/** Says once why the page waits. */
export const notifyLimited = (): void =>
  void notifications.show({ id: "limited", message: i18next.t("state.limited"), color: "yellow" });

/** Shows why a change failed. It stays until it is closed. */
export function notifyFailed(error: unknown): void {
  notifications.show({
    message: reasonOf(error),
    color: "red",
    autoClose: false,
    style: { whiteSpace: "pre-line" },
  });
}

/** The reason in words; with the request id if it is unexpected. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0) return i18next.t("state.network");
  const first = Object.entries(error.fields).map(([field, text]) => `${field} ${text}`)[0];
  const text = first === undefined ? error.message : `${error.message} (${first})`;
  return error.status >= 500 ? `${text} ${error.code} ${error.requestId ?? ""}` : text;
}
