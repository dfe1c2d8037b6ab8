import { Badge } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../api/client.ts";
import { Ago } from "./ago.tsx";
import { CardLine, RecordCard } from "./record-card.tsx";
import { useFormat } from "./workspace.ts";

const colours = { pending: "yellow", delivered: "teal", failed: "red" } as const;

/** A message to a receiver, and how it answered. */
export function DeliveryCard({ delivery, actions }: { delivery: Schemas["Delivery"]; actions?: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { type, status, attempts, created_at, next_attempt_at } = delivery;
  const answer = [delivery.last_response_status, delivery.last_error, delivery.last_response_excerpt];
  const answerText = answer.filter(Boolean).join(" · ");
  return (
    <RecordCard
      title={type}
      badges={
        <Badge variant="light" tt="none" color={colours[status]}>
          {t(`webhooks.${status}`)}
        </Badge>
      }
      actions={actions}
    >
      <CardLine>
        {created_at && <Ago at={created_at} />} · {t("webhooks.attempts", { count: attempts })}
        {delivery.last_duration_ms !== null && ` · ${format.number(delivery.last_duration_ms)} ms`}
      </CardLine>
      {status === "pending" && next_attempt_at && (
        <CardLine>{t("webhooks.next", { when: format.time(next_attempt_at) })}</CardLine>
      )}
      {answerText && <CardLine>{answerText}</CardLine>}
      <CardLine>{delivery.message_id}</CardLine>
    </RecordCard>
  );
}
