import { ConfigError, type LogEntry, type TargetSpec } from "@coterie/core";
import { Evaluator, ShadowTally, Survey, VariantsTally } from "@coterie/core/internal";
import { buildCommand } from "@stricli/core";
import { DsjsonFile } from "../dsjsonFile.ts";
import { evaluationText, shadowText, variantsText } from "../estimates.ts";
import { optionalReal, optionalText, several, yes } from "../flags.ts";
import { guarded, interruptible } from "../guard.ts";
import { Logs } from "../logs.ts";
import { ProgressLine } from "../progress.ts";
import { parseTarget } from "../targets.ts";

interface EvaluateFlags {
  readonly target?: readonly string[];
  readonly variants: boolean;
  readonly control?: string;
  readonly shadow: boolean;
  readonly confidence?: number;
  readonly dsjson?: string;
  readonly json: boolean;
}

export const evaluateCommand = buildCommand<EvaluateFlags, string[]>({
  docs: {
    brief: "What other policies would have earned, from a log of decisions",
    fullDescription:
      "Reads decision logs (JSON lines of `peer.log`, or VW's dsjson), several as one, and estimates the reward per choice of each --target by inverse propensity scoring (IPS), self-normalised (SNIPS) and doubly robust, with intervals. Targets: logged, uniform, first (the first item of each menu), item=NAME, linear (a model fitted to the first half and judged by the second), shadow, or a policy that learns from the log as it goes. --variants compares the sides of an A/B test instead, --shadow says what a peer in shadow mode would have earned. --dsjson writes the decisions for VW as well. A log that cannot answer, because its choices have no propensities (explore.floor was 0), ends with exit code 2 and says so.",
  },
  parameters: {
    flags: {
      target: several("TARGET", "a policy to judge; may be repeated (default: uniform)"),
      variants: yes("compare the variants of an A/B test"),
      control: optionalText("NAME", "the variant that others are compared with (default: the first by name)"),
      shadow: yes("report on a peer in shadow mode"),
      confidence: optionalReal("--confidence", "P", "how often an interval is to contain the truth (default: 0.95)"),
      dsjson: optionalText("FILE", "also write the decisions as VW's dsjson"),
      json: yes("print JSON"),
    },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { brief: "a decision log", parse: String, placeholder: "LOG" },
    },
  },
  func(flags, ...paths) {
    return guarded(async () => {
      const { document, text } = await evaluateLogs(flags, new Logs(paths));
      process.stdout.write(flags.json ? `${JSON.stringify(document)}\n` : `${text}\n`);
    });
  },
});

interface Answer {
  readonly document: object;
  readonly text: string;
}

/** Takes the entries of the second pass, and says what they come to. */
interface Question {
  add(entry: LogEntry): void;
  answer(): Answer;
}

async function evaluateLogs(flags: EvaluateFlags, logs: Logs): Promise<Answer> {
  const progress = new ProgressLine();
  const signal = interruptible();
  try {
    const survey = new Survey();
    const ask = questionOf(flags);
    await logs.each((entry) => survey.add(entry), "looking through the log", progress, signal);
    const question = ask(survey);
    const vw = flags.dsjson === undefined ? null : new DsjsonFile(flags.dsjson);
    await logs.each(
      (entry) => {
        question.add(entry);
        return vw?.add(entry);
      },
      "evaluating",
      progress,
      signal,
    );
    await vw?.close();
    return question.answer();
  } finally {
    progress.clear();
  }
}

/** Options are checked before anything is read. */
function questionOf({
  target = ["uniform"],
  variants,
  control,
  shadow,
  confidence = 0.95,
}: EvaluateFlags): (survey: Survey) => Question {
  if (!(confidence > 0 && confidence < 1))
    throw new ConfigError("--confidence", confidence, "lie strictly between 0 and 1");
  if (variants && shadow) throw new ConfigError("--shadow", true, "not be combined with --variants");
  if (control !== undefined && !variants) throw new ConfigError("--control", control, "be used with --variants");
  if (variants) {
    return () => {
      const tally = new VariantsTally();
      const asked = { confidence, ...(control !== undefined && { control }) };
      return { add: (entry) => tally.add(entry), answer: () => answered(tally.report(asked), variantsText) };
    };
  }
  if (shadow) {
    return (survey) => {
      const tally = new ShadowTally(survey);
      return { add: (entry) => tally.add(entry), answer: () => answered(tally.report(confidence), shadowText) };
    };
  }
  const specs = target.map(parseTarget).filter((spec): spec is TargetSpec => spec !== null);
  return (survey) => {
    const evaluator = new Evaluator(survey, specs);
    return {
      add: (entry) => evaluator.add(entry),
      answer: () => answered(evaluator.report(confidence), evaluationText),
    };
  };
}

const answered = <R extends object>(report: R, words: (report: R) => string): Answer => ({
  document: report,
  text: words(report),
});
