import { AppShell, Box, Burger, Group, NavLink, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import {
  IconAccessPoint,
  IconArrowsExchange,
  IconBell,
  IconBox,
  IconHome2,
  IconMapPin,
  IconScan,
  IconSearch,
  IconSettings,
  IconTag,
  IconUsers,
} from "@tabler/icons-react";

import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { AccountMenu } from "./account-menu.tsx";
import { AssetSpotlight } from "./asset-spotlight.tsx";
import classes from "./shell.module.css";

const areas = [
  { to: "/", text: "nav.home", icon: IconHome2 },
  { to: "/assets", text: "nav.assets", icon: IconBox },
  { to: "/scan", text: "nav.scan", icon: IconScan },
  { to: "/checkouts", text: "nav.checkouts", icon: IconArrowsExchange },
  { to: "/labels", text: "nav.labels", icon: IconTag },
  { to: "/places", text: "nav.places", icon: IconMapPin },
  { to: "/people", text: "nav.people", icon: IconUsers },
  { to: "/live", text: "nav.live", icon: IconAccessPoint },
  { to: "/alerts", text: "nav.alerts", icon: IconBell },
  { to: "/settings", text: "nav.settings", icon: IconSettings },
] as const;

/** The frame of all screens: navigation, search and the account. */
export function Shell() {
  const { t } = useTranslation();
  const [opened, menu] = useDisclosure(false);
  const { pathname } = useLocation();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 212, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", md: "lg" }}
    >
      <a className={classes.skip} href="#content">
        {t("nav.skip")}
      </a>
      <AppShell.Header className={classes.bar}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t("nav.open")}
            />
            <Link to="/" className={classes.brand} aria-label={t("app.name")}>
              <img src="/app/icon.svg" alt="" width={26} height={26} />
              <Text fw={650} visibleFrom="xs">
                {t("app.name")}
              </Text>
            </Link>
          </Group>
          <UnstyledButton className={classes.search} onClick={spotlight.open}>
            <IconSearch size={16} aria-hidden />
            <Text size="sm" c="dimmed" flex={1}>
              {t("nav.search")}
            </Text>
            <Text size="xs" c="dimmed" visibleFrom="sm" aria-hidden>
              Ctrl K
            </Text>
          </UnstyledButton>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" className={classes.bar}>
        {areas.map(({ to, text, icon: Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={t(text)}
            leftSection={<Icon size={19} stroke={1.6} aria-hidden />}
            active={to === "/" ? pathname === "/" : pathname.startsWith(to)}
            onClick={menu.close}
            className={classes.area}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main>
        <Box id="content" tabIndex={-1}>
          <Outlet />
        </Box>
      </AppShell.Main>
      <AssetSpotlight />
    </AppShell>
  );
}
