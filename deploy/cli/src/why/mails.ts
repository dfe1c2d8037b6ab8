import type { AlertMail } from "../../../../services/notification/src/store/alerts/mails.ts";
import { passed, type Step, stopped, waits } from "./step.ts";

/** Where a mail is on its way to its address. */
export function mailStep(mail: AlertMail): Step {
  const { id, to, status, attempts, nextAttemptAt, lastError = "unknown error" } = mail;
  const name = `${id} to ${to.join(", ")}`;
  if (status === "delivered") return passed("mail", `${name}: the mail server accepted it.`);
  if (status === "failed")
    return stopped("mail", `${name} has failed after ${attempts} attempts: ${lastError}.`);
  const last = attempts === 0 ? "No process has attempted it." : `Attempt ${attempts} failed: ${lastError}.`;
  if (nextAttemptAt > new Date())
    return waits(
      "mail",
      `${name} is pending. ${last} The next attempt is at ${nextAttemptAt.toISOString()}.`,
    );
  return stopped(
    "mail",
    `${name} is due since ${nextAttemptAt.toISOString()}. ${last}`,
    "Only processes of notification with the role worker and with SMTP_URL and MAIL_FROM send mails: are both set?",
  );
}
