import { limits } from "@asset-register/proto/limits";
import { Checkbox, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { showAtFields } from "../../../parts/show-at-fields.ts";

/** The scopes of surface A. The document of surface B has them as texts only. */
const scopes = [
  ...["assets:read", "assets:write", "checkouts:write", "tags:read", "tags:write", "locations:read"],
  ...["zones:write", "reader-events:write", "webhooks:read", "webhooks:write", "events:read", "finance"],
];

type Values = { name: string; scopes: string[]; expires_at: string; allowed_addresses: string };

type Props = { onText: (key: Schemas["ApiKeyWithText"]) => void; onClose: () => void };

/** Creates a key. Its text is shown once. */
export function NewKeyDialog({ onText, onClose }: Props) {
  const { t } = useTranslation();
  const form = useForm<Values>({
    initialValues: { name: "", scopes: ["assets:read"], expires_at: "", allowed_addresses: "" },
  });
  const { name, expires_at, allowed_addresses } = form.values;
  const create = async (): Promise<void> => {
    const { data } = await api.POST("/api-keys", {
      body: {
        name,
        scopes: form.values.scopes,
        expires_at: expires_at === "" ? null : endOfDay(expires_at),
        allowed_addresses: allowed_addresses.split(/[\s,]+/).filter((address) => address !== ""),
      },
    });
    if (data !== undefined) onText(data);
  };
  return (
    <ActionDialog
      title={t("apiKeys.new")}
      submit={t("action.create")}
      done={t("asset.createdDone", { name })}
      changes={["/api-keys", "/audit-log"]}
      disabled={name.trim() === "" || form.values.scopes.length === 0}
      onClose={onClose}
      action={() => showAtFields(form, create)}
    >
      <TextInput
        label={t("apiKeys.name")}
        description={t("apiKeys.nameHint")}
        required
        maxLength={limits.accountName}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label={t("apiKeys.scopes")} {...form.getInputProps("scopes")}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <TextInput
        type="date"
        label={t("apiKeys.until")}
        description={t("apiKeys.untilHint")}
        {...form.getInputProps("expires_at")}
      />
      <Textarea
        label={t("apiKeys.addresses")}
        description={t("apiKeys.addressesHint")}
        autosize
        {...form.getInputProps("allowed_addresses")}
      />
    </ActionDialog>
  );
}

/** The last second of a day, where the user is. */
const endOfDay = (date: string): string => new Date(`${date}T23:59:59`).toISOString();
