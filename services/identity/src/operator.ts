import { explainFailure, runOperator } from "./run-operator.ts";

// Runs one command and prints its answer as JSON.
try {
  console.log(JSON.stringify(await runOperator(process.argv.slice(2), process.env), null, 2));
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 1;
}
