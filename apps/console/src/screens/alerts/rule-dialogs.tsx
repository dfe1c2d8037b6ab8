import { Drawer, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { DeliveryCard } from "../../parts/delivery-card.tsx";
import { ifMatch, rereadIfChanged } from "../../parts/if-match.ts";
import { DEFAULT_OVERLAP_S, OverlapSelect } from "../../parts/overlap-select.tsx";
import { PagedList } from "../../parts/paged-list.tsx";
import { usePages } from "../../parts/use-pages.ts";
import type { Rule } from "./rule-values.ts";

type Props = { rule: Rule; onClose: () => void };

const paramsOf = (rule: Rule) => ({ path: { id: rule.id }, header: ifMatch(rule) });

export function DeleteRuleDialog({ rule, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ActionDialog
      title={t("record.deleteTitle", { name: rule.name })}
      submit={t("action.delete")}
      done={t("record.deleted", { name: rule.name })}
      changes={["/alert-rules", "/alerts", "/home"]}
      danger
      onClose={onClose}
      action={() =>
        rereadIfChanged("/alert-rules", api.DELETE("/alert-rules/{id}", { params: paramsOf(rule) }))
      }
    >
      <Text size="sm">{t("rules.deleteText")}</Text>
    </ActionDialog>
  );
}

type RotateProps = Props & { onSecret: (title: string, secret: string) => void };

/** Gives the receiver of a rule a new secret. */
export function RotateRuleSecretDialog({ rule, onSecret, onClose }: RotateProps) {
  const { t } = useTranslation();
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP_S);
  const rotate = async (): Promise<void> => {
    const request = api.POST("/alert-rules/{id}/rotate-secret", {
      params: paramsOf(rule),
      body: { overlap_seconds: overlap },
    });
    const { data } = await rereadIfChanged("/alert-rules", request);
    if (data?.secret) onSecret(rule.name, data.secret);
  };
  return (
    <ActionDialog
      title={`${t("secret.rotate")}: ${rule.name}`}
      submit={t("secret.rotate")}
      done={t("secret.rotated", { name: rule.name })}
      changes={["/alert-rules"]}
      onClose={onClose}
      action={rotate}
    >
      <OverlapSelect value={overlap} onChange={setOverlap} />
    </ActionDialog>
  );
}

/** The last messages of a rule, and how their receiver answered. */
export function RuleDeliveries({ rule: { id, name }, onClose }: Props) {
  const { t } = useTranslation();
  const found = usePages("/alert-rules/{id}/deliveries", id, (query, signal) =>
    api.GET("/alert-rules/{id}/deliveries", { params: { path: { id }, query }, signal }),
  );
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={`${t("webhooks.deliveries")}: ${name}`}
      classNames={{ title: "cut" }}
    >
      <PagedList found={found} empty={t("rules.noDeliveries")}>
        {(delivery) => <DeliveryCard key={delivery.id} delivery={delivery} />}
      </PagedList>
    </Drawer>
  );
}
