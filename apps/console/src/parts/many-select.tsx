import { MultiSelect, type MultiSelectProps } from "@mantine/core";
import { useState } from "react";

/**
 * Chooses several of a list. The list closes after each choice: an open one would cover what is below it, such as the
 * button of a dialog. A click, a letter or an arrow key opens it again.
 */
export function ManySelect(props: MultiSelectProps) {
  const [opened, setOpened] = useState(false);
  return (
    <MultiSelect
      {...props}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onOptionSubmit={() => setOpened(false)}
    />
  );
}
