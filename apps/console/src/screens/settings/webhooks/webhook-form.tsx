import { eventTypes } from "@asset-register/proto/event-types";
import { limits } from "@asset-register/proto/limits";
import { Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { ManySelect } from "../../../parts/many-select.tsx";
import { showAtFields } from "../../../parts/show-at-fields.ts";

type Props = {
  webhook?: Schemas["Webhook"];
  onSecret: (webhook: Schemas["WebhookWithSecret"]) => void;
  onClose: () => void;
};

type EventName = Schemas["PostWebhooksRequest"]["events"][number];

const ALL: EventName = "*";
const types = Object.keys(eventTypes);

type Values = { url: string; all: boolean; events: string[] };

/** Creates a webhook, or changes its address and events. */
export function WebhookForm({ webhook, onSecret, onClose }: Props) {
  const { t } = useTranslation();
  const form = useForm<Values>({
    initialValues: {
      url: webhook?.url ?? "https://",
      all: webhook?.events.includes(ALL) ?? true,
      events: webhook?.events.filter((event) => event !== ALL) ?? [],
    },
  });
  const { url, all, events } = form.values;
  const save = async (): Promise<void> => {
    const body = { url: url.trim(), events: all ? [ALL] : (events as EventName[]) };
    if (webhook !== undefined) {
      const params = { path: { id: webhook.id }, header: ifMatch(webhook) };
      await rereadIfChanged("/webhooks", api.PATCH("/webhooks/{id}", { params, body }));
      return;
    }
    const { data } = await api.POST("/webhooks", { body });
    if (data !== undefined) onSecret(data);
  };
  return (
    <ActionDialog
      title={webhook === undefined ? t("webhooks.new") : t("record.edit", { name: webhook.url })}
      submit={t(webhook === undefined ? "action.create" : "action.save")}
      done={t("webhooks.saved")}
      changes={["/webhooks", "/audit-log"]}
      disabled={!all && events.length === 0}
      onClose={onClose}
      action={() => showAtFields(form, save)}
    >
      <TextInput
        type="url"
        label={t("webhooks.url")}
        description={t("webhooks.urlHint")}
        required
        maxLength={limits.url}
        data-autofocus
        {...form.getInputProps("url")}
      />
      <Switch
        label={t("webhooks.all")}
        description={t("webhooks.allHint")}
        {...form.getInputProps("all", { type: "checkbox" })}
      />
      {!all && (
        <ManySelect
          label={t("webhooks.events")}
          searchable
          data={[...new Set([...types, ...events])]}
          nothingFoundMessage={t("nav.nothingFound")}
          {...form.getInputProps("events")}
        />
      )}
    </ActionDialog>
  );
}
