import { Badge, Menu, Switch } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api, invalidate } from "../../api/client.ts";
import { EditButton } from "../../parts/edit-button.tsx";
import { ifMatch } from "../../parts/if-match.ts";
import { notifyFailed } from "../../parts/notify.tsx";
import { CardLine, RecordCard } from "../../parts/record-card.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { ruleSentence } from "./rule-sentence.ts";
import { namesOfRule, type Rule } from "./rule-values.ts";

export type RuleDialog = "edit" | "delete" | "deliveries" | "rotate";

type Props = { rule: Rule; onOpen: (dialog: RuleDialog) => void };

/** A rule: what it does, and whether it is on. */
export function RuleCard({ rule, onOpen }: Props) {
  const { t, i18n } = useTranslation();
  const { id, name, channel, enabled, webhook_status } = rule;
  const change = useMutation({
    mutationFn: (next: boolean) =>
      api.PATCH("/alert-rules/{id}", {
        params: { path: { id }, header: ifMatch(rule) },
        body: { enabled: next },
      }),
    onError: notifyFailed,
    onSettled: () => invalidate("/alert-rules"),
  });
  return (
    <RecordCard
      title={name}
      badges={
        webhook_status === "disabled" && (
          <Badge variant="light" color="red" tt="none" title={t("rules.receiverOffHint")}>
            {t("rules.receiverOff")}
          </Badge>
        )
      }
      actions={
        <>
          <Switch
            aria-label={`${t("rules.on")}: ${name}`}
            checked={enabled}
            disabled={change.isPending}
            onChange={(event) => change.mutate(event.currentTarget.checked)}
          />
          <EditButton name={name} onClick={() => onOpen("edit")} />
          <RowMenu name={name}>
            <Menu.Item
              renderRoot={(props) => <Link {...props} to="/alerts" search={{ rule: id, state: "all" }} />}
            >
              {t("alerts.list")}
            </Menu.Item>
            {channel !== "inapp" && (
              <Menu.Item onClick={() => onOpen("deliveries")}>{t("webhooks.deliveries")}</Menu.Item>
            )}
            {channel === "webhook" && (
              <Menu.Item onClick={() => onOpen("rotate")}>{t("secret.rotate")}</Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => onOpen("delete")}>
              {t("action.delete")}
            </Menu.Item>
          </RowMenu>
        </>
      }
    >
      <CardLine>{ruleSentence(t, i18n.language, rule, namesOfRule(rule))}</CardLine>
    </RecordCard>
  );
}
