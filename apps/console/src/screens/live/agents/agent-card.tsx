import { Badge, Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../../api/client.ts";
import { namesOf } from "../../../parts/chosen.ts";
import { EditButton } from "../../../parts/edit-button.tsx";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";
import { RowMenu } from "../../../parts/row-menu.tsx";
import { useFormat } from "../../../parts/workspace.ts";

export type Agent = Schemas["Agent"];
export type AgentDialog = "edit" | "delete";

/** An agent syncs once an hour. */
const SILENT_AFTER_MS = 2 * 3_600_000;

/** `waiting`: its token is not used; `expired`: nor can it be any more. */
function stateOf({ status, token_expires_at, last_seen_at }: Agent, now: number) {
  if (status === "pending") return Date.parse(token_expires_at ?? "") > now ? "waiting" : "expired";
  return now - Date.parse(last_seen_at ?? "") > SILENT_AFTER_MS ? "silent" : undefined;
}

/** An agent: its readers, when it was heard, and what it has not sent. */
export function AgentCard({ agent, onOpen }: { agent: Agent; onOpen: (dialog: AgentDialog) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, reader_ids, readers, version, last_seen_at, buffer, token_expires_at } = agent;
  const state = stateOf(agent, Date.now());
  return (
    <RecordCard
      title={name}
      badges={
        state && (
          <Badge
            variant="light"
            color={state === "waiting" ? "blue" : "red"}
            c="var(--mantine-color-text)"
            tt="none"
            fw={550}
          >
            {t(`agents.${state}`)}
          </Badge>
        )
      }
      actions={
        <>
          <EditButton name={name} onClick={() => onOpen("edit")} />
          <RowMenu name={name}>
            <Menu.Item color="red" onClick={() => onOpen("delete")}>
              {t("agents.remove")}
            </Menu.Item>
          </RowMenu>
        </>
      }
    >
      <CardLine>
        {t("agents.readers")}: {namesOf(reader_ids, readers).join(", ") || t("zones.noReaders")}
      </CardLine>
      {state === "waiting" && token_expires_at !== null && (
        <CardLine>{t("agents.tokenUntil", { when: format.time(token_expires_at) })}</CardLine>
      )}
      {last_seen_at !== null && (
        <CardLine>
          {[
            t("agents.lastSeen", { when: format.ago(last_seen_at) }),
            version && t("agents.version", { version }),
            buffer && bufferText(buffer),
          ]
            .filter(Boolean)
            .join(" · ")}
        </CardLine>
      )}
    </RecordCard>
  );

  function bufferText({ rows, oldest_at }: NonNullable<Agent["buffer"]>): string {
    if (rows === 0 || oldest_at === null) return t("agents.bufferEmpty");
    return t("agents.buffer", { count: rows, shown: format.number(rows), when: format.ago(oldest_at) });
  }
}
