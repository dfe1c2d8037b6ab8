import { Badge, Button, Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../../api/client.ts";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";
import { RowMenu } from "../../../parts/row-menu.tsx";
import { useFormat } from "../../../parts/workspace.ts";
import { HealthBadge } from "./health-badge.tsx";
import { isSilent, muchSkew } from "./reader-health.ts";
import { ReadsAMinute } from "./reads-a-minute.tsx";

export type Reader = Schemas["Reader"];
export type ReaderDialog = "edit" | "rotate" | "revoke";

type Props = { reader: Reader; onActivity: () => void; onOpen: (dialog: ReaderDialog) => void };

/** A reader: where it is, when it was heard, and how much it reads. */
export function ReaderCard({ reader, onActivity, onOpen }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, kind, zone, location, status, last_seen_at, accepted, rejected } = reader;
  const revoked = status === "revoked";
  const silent = isSilent(reader, Date.now());
  const skew = muchSkew(reader);
  const health = [
    t("readers.accepted", { count: accepted }),
    rejected > 0 && t("readers.rejected", { count: rejected }),
    skew !== undefined && t("readers.skew", { seconds: format.number(skew) }),
  ];
  return (
    <RecordCard
      title={name}
      badges={
        revoked || silent ? (
          <Badge
            variant="light"
            color={revoked ? "gray" : "red"}
            c="var(--mantine-color-text)"
            tt="none"
            fw={550}
          >
            {t(revoked ? "readers.revoked" : "readers.silent")}
          </Badge>
        ) : (
          <HealthBadge health={reader.health} />
        )
      }
      actions={
        <>
          {!revoked && <ReadsAMinute id={id} />}
          <Button
            size="xs"
            variant="default"
            aria-label={`${t("readers.activity")}: ${name}`}
            onClick={onActivity}
          >
            {t("readers.activity")}
          </Button>
          {!revoked && (
            <RowMenu name={name}>
              <Menu.Item onClick={() => onOpen("edit")}>{t("action.edit")}</Menu.Item>
              <Menu.Item onClick={() => onOpen("rotate")}>{t("secret.rotate")}</Menu.Item>
              <Menu.Divider />
              <Menu.Item color="red" onClick={() => onOpen("revoke")}>
                {t("readers.revoke")}
              </Menu.Item>
            </RowMenu>
          )}
        </>
      }
    >
      <CardLine>{[t(`readers.${kind}`), zone?.name, location?.name].filter(Boolean).join(" · ")}</CardLine>
      <CardLine>
        {last_seen_at === null
          ? t("readers.never")
          : t("readers.lastSeen", { when: format.ago(last_seen_at) })}
        {" · "}
        {health.filter(Boolean).join(" · ")}
      </CardLine>
    </RecordCard>
  );
}
