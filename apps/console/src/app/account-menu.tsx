import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconLogout } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { session as browserSession } from "../api/authorised-fetch.ts";
import { useSession } from "../api/use-session.ts";
import { type Language, languages, setLanguage } from "../text/text.ts";

const schemes = ["light", "dark", "auto"] as const;

/** The signed-in user, the language and the appearance. */
export function AccountMenu() {
  const { t, i18n } = useTranslation();
  const { session } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const check = (on: boolean) => (on ? <IconCheck size={14} aria-hidden /> : null);
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton aria-label={t("nav.account")}>
          <Avatar color="brand" radius="xl" size={34} alt="" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" className="cut">
            {session?.user.name}
          </Text>
          <Text size="xs" className="cut">
            {session?.user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t("nav.language")}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            rightSection={check(i18n.language === one)}
            onClick={() => void setLanguage(one)}
          >
            {languages[one]}
          </Menu.Item>
        ))}
        <Menu.Label>{t("nav.appearance")}</Menu.Label>
        {schemes.map((one) => (
          <Menu.Item key={one} rightSection={check(colorScheme === one)} onClick={() => setColorScheme(one)}>
            {t(`nav.${one}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => void browserSession.signOut()}
        >
          {t("nav.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
