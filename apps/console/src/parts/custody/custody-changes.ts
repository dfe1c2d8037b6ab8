/** The paths whose answers change when an asset is moved, issued, taken back or disposed. */
export const CUSTODY_CHANGES = ["/assets", "/movements", "/checkouts", "/home", "/reports"];
