import { Button, Fieldset, Group, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { RightsFields } from "../users/rights-fields.tsx";
import { emptyGroup, type Group as GroupRights } from "./connection-values.ts";

type Props = {
  groups: readonly GroupRights[];
  errors: Readonly<Record<string, unknown>>;
  onChange: (groups: GroupRights[]) => void;
};

/** The rights of members of groups of the provider. */
export function GroupFields({ groups, errors, onChange }: Props) {
  const { t } = useTranslation();
  const change = (key: string, part: Partial<GroupRights>) =>
    onChange(groups.map((one) => (one.key === key ? { ...one, ...part } : one)));
  return (
    <Stack gap="sm">
      {groups.map((one, index) => (
        <Fieldset key={one.key} legend={one.group || t("ssoSettings.newGroup")}>
          <Stack gap="sm">
            <TextInput
              label={t("ssoSettings.group")}
              description={t("ssoSettings.groupHint")}
              required
              value={one.group}
              error={errors[`groups.${index}.group`] as string | undefined}
              onChange={(event) => change(one.key, { group: event.currentTarget.value })}
            />
            <RightsFields value={one} onChange={(rights) => change(one.key, rights)} />
            <Group justify="flex-end">
              <Button
                variant="subtle"
                color="red"
                size="xs"
                aria-label={`${t("ssoSettings.removeGroup")}: ${one.group}`}
                onClick={() => onChange(groups.filter(({ key }) => key !== one.key))}
              >
                {t("ssoSettings.removeGroup")}
              </Button>
            </Group>
          </Stack>
        </Fieldset>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => onChange([...groups, emptyGroup()])}
        >
          {t("ssoSettings.addGroup")}
        </Button>
      </Group>
    </Stack>
  );
}
