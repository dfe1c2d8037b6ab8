import { Checkbox, SimpleGrid, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Capability, capabilities } from "./capabilities.ts";

export type Rights = { admin: boolean; capabilities: Capability[] };

type Props = { value: Rights; onChange: (rights: Rights) => void };

/** The rights of a user. An admin has all. */
export function RightsFields({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Switch
        label={t("users.admin")}
        description={t("users.adminHint")}
        checked={value.admin}
        onChange={(event) => onChange({ ...value, admin: event.currentTarget.checked })}
      />
      <Checkbox.Group
        label={t("users.capabilities")}
        value={value.admin ? capabilities : value.capabilities}
        onChange={(names) => onChange({ ...value, capabilities: names as Capability[] })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {capabilities.map((name) => (
            <Checkbox key={name} value={name} label={t(`capability.${name}`)} disabled={value.admin} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </>
  );
}
