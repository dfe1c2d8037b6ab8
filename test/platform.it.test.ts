// All tests that need the whole platform share one, since it uses 0.2 of a core even when it is idle. Those that kill a
// process are the last, and the last of them does not start it again. The matrix is the first: it waits until every
// consumer group has handled everything, and later tests leave groups of their own.
import "./matrix/matrix.ts";
import "./e2e/readme.ts";
import "./e2e/sharding.ts";
import "./e2e/sightings-page.ts";
import "./e2e/events.ts";
import "./e2e/console.ts";
import "./e2e/main-job.ts";
import "./e2e/assets.ts";
import "./e2e/demo.ts";
import "./e2e/home.ts";
import "./e2e/labels.ts";
import "./e2e/smoke-test.ts";
import "./e2e/alert-types.ts";
import "./fuzz/fuzz.ts";
import "./e2e/audit.ts";
import "./e2e/credentials.ts";
import "./e2e/export.ts";
