import { writeFileSync } from "node:fs";

/**
 * A vitest reporter that writes what became of every test to the file named by COTERIE_TEST_SUMMARY. Vitest's own JSON
 * report leaves out why a test was skipped.
 */
export default class SummaryReporter {
  onTestRunEnd(modules, errors) {
    const summary = { passed: 0, failed: [], skipped: [] };
    for (const module of modules) {
      for (const test of module.children.allTests()) note(summary, test);
      // A file that could not be loaded has no tests that could fail.
      if (module.errors().length > 0) summary.failed.push(module.relativeModuleId);
    }
    for (const error of errors) summary.failed.push(`outside of any test: ${error.message}`);
    writeFileSync(process.env.COTERIE_TEST_SUMMARY, JSON.stringify(summary));
  }
}

function note(summary, test) {
  const name = `${test.module.relativeModuleId} > ${test.fullName}`;
  const { state, note: why } = test.result();
  if (state === "passed") summary.passed += 1;
  else if (state === "failed") summary.failed.push(name);
  else summary.skipped.push({ name, why: why ?? "no reason given" });
}
