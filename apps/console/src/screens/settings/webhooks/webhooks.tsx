import { Button, Group } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { PagedList } from "../../../parts/paged-list.tsx";
import { type Secret, SecretDialog } from "../../../parts/secret-dialog.tsx";
import { usePages } from "../../../parts/use-pages.ts";
import { Deliveries } from "./deliveries.tsx";
import { WebhookCard, type WebhookDialog } from "./webhook-card.tsx";
import { DeleteWebhookDialog, RotateSecretDialog } from "./webhook-dialogs.tsx";
import { WebhookForm } from "./webhook-form.tsx";

type Webhook = Schemas["Webhook"];
type Open = { dialog: "create" } | { dialog: WebhookDialog; webhook: Webhook };

/** The addresses to which events are sent. */
export function Webhooks() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<Secret>();
  const found = usePages("/webhooks", "settings", (query, signal) =>
    api.GET("/webhooks", { params: { query }, signal }),
  );
  const onClose = () => setOpen(undefined);
  const onSecret = (made: Schemas["WebhookWithSecret"]) =>
    setSecret({ title: made.url, label: t("webhooks.secret"), text: made.secret });
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button
          leftSection={<IconPlus size={17} aria-hidden />}
          onClick={() => setOpen({ dialog: "create" })}
        >
          {t("webhooks.new")}
        </Button>
      </Group>
      <PagedList found={found} empty={t("webhooks.none")}>
        {(webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} onOpen={(dialog) => setOpen({ dialog, webhook })} />
        )}
      </PagedList>
      {open?.dialog === "create" && <WebhookForm onSecret={onSecret} onClose={onClose} />}
      {open?.dialog === "edit" && (
        <WebhookForm webhook={open.webhook} onSecret={onSecret} onClose={onClose} />
      )}
      {open?.dialog === "rotate" && (
        <RotateSecretDialog webhook={open.webhook} onSecret={onSecret} onClose={onClose} />
      )}
      {open?.dialog === "delete" && <DeleteWebhookDialog webhook={open.webhook} onClose={onClose} />}
      {open?.dialog === "deliveries" && <Deliveries webhook={open.webhook} onClose={onClose} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
