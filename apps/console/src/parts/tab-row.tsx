import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./tab-row.module.css";

type Props<T extends string> = { tabs: readonly T[]; active: T; label: (tab: T) => ReactNode };

/** The tabs of a screen in one line. If they do not fit, the line scrolls to the active one. */
export function TabRow<T extends string>({ tabs, active, label }: Props<T>) {
  return (
    <Tabs.List mb="md" className={classes.row}>
      {tabs.map((tab) => (
        <Tabs.Tab key={tab} value={tab} ref={tab === active ? keepInView : undefined}>
          {label(tab)}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

/**
 * Scrolls the row to the tab, also when a phone is turned. Unlike scrollIntoView, it leaves the page where it is:
 * the tabs of an asset begin below the fold.
 */
function keepInView(tab: HTMLButtonElement | null) {
  const row = tab?.parentElement;
  if (!row) return;
  const observer = new ResizeObserver(() => {
    const [inner, outer] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  });
  observer.observe(row);
  return () => observer.disconnect();
}
