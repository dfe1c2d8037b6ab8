import { Button, Group, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { PagedList } from "../../../parts/paged-list.tsx";
import { type Secret, SecretDialog } from "../../../parts/secret-dialog.tsx";
import { usePages } from "../../../parts/use-pages.ts";
import { type Agent, AgentCard, type AgentDialog } from "./agent-card.tsx";
import { AgentForm } from "./agent-form.tsx";

type Open = { dialog: "create" } | { dialog: AgentDialog; agent: Agent };

/** Agents are not in the feed. */
const EVERY_MS = 60_000;

/** The programs at sites that send the reads of readers which can't sign. */
export function Agents() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<Secret>();
  const found = usePages(
    "/agents",
    "list",
    (query, signal) => api.GET("/agents", { params: { query: { ...query, expand: ["reader"] } }, signal }),
    EVERY_MS,
  );
  const onClose = () => setOpen(undefined);
  const onToken = (title: string, token: string) =>
    setSecret({ title, label: t("agents.command"), text: `edge-agent enrol ${token}` });
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button
          leftSection={<IconPlus size={17} aria-hidden />}
          onClick={() => setOpen({ dialog: "create" })}
        >
          {t("agents.new")}
        </Button>
      </Group>
      <PagedList found={found} empty={t("agents.none")}>
        {(agent) => (
          <AgentCard key={agent.id} agent={agent} onOpen={(dialog) => setOpen({ dialog, agent })} />
        )}
      </PagedList>
      {open?.dialog === "create" && <AgentForm onToken={onToken} onClose={onClose} />}
      {open?.dialog === "edit" && <AgentForm agent={open.agent} onToken={onToken} onClose={onClose} />}
      {open?.dialog === "delete" && <DeleteAgent agent={open.agent} onClose={onClose} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function DeleteAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { t } = useTranslation();
  const params = { path: { id: agent.id }, header: ifMatch(agent) };
  return (
    <ActionDialog
      title={t("agents.removeTitle", { name: agent.name })}
      submit={t("agents.remove")}
      done={t("record.deleted", { name: agent.name })}
      changes={["/agents"]}
      danger
      onClose={onClose}
      action={() => rereadIfChanged("/agents", api.DELETE("/agents/{id}", { params }))}
    >
      <Text size="sm">{t("agents.removeText")}</Text>
    </ActionDialog>
  );
}
