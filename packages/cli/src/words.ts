import {
  type ApplicationText,
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
} from "@stricli/core";

/** What the parser of the command line says, in the words of everything else: one sentence that names the place. */
export const words: ApplicationText = {
  ...text_en,
  noCommandRegisteredForInput: ({ input, corrections }) =>
    said(`there is no command ${input}${hint(corrections, "coterie --help lists them")}`),
  exceptionWhileParsingArguments: (error) =>
    said(error instanceof ArgumentScannerError ? wrongUse(error) : String(error)),
};

const said = (sentence: string): string => `coterie: ${sentence}`;

const hint = (corrections: readonly string[], otherwise: string): string =>
  corrections.length === 0 ? ` (${otherwise})` : `; did you mean ${corrections.join(" or ").replaceAll("`", "")}?`;

const OPTIONS = "--help behind the command lists them";

function wrongUse(error: ArgumentScannerError): string {
  return formatMessageForArgumentScannerError(error, {
    FlagNotFoundError: ({ input, corrections }) => {
      const alike = corrections.map((name) => `--${name}`);
      return `there is no option --${input}${hint(alike, OPTIONS)}`;
    },
    AliasNotFoundError: ({ input }) => `there is no option -${input} (${OPTIONS})`,
    // What an option's own check says names it already.
    ArgumentParseError: ({ exception }) => (exception instanceof Error ? exception.message : String(exception)),
    EnumValidationError: ({ externalFlagName, input, values }) =>
      `--${externalFlagName} must be one of ${values.join(", ")}, but is ${JSON.stringify(input)}`,
    UnsatisfiedFlagError: ({ externalFlagName }) => `--${externalFlagName} must be given, with a value`,
    UnexpectedFlagError: ({ externalFlagName, previousInput, input }) =>
      `--${externalFlagName} must be given once, but is "${previousInput}" and "${input}"`,
    UnsatisfiedPositionalError: ({ placeholder }) => `${placeholder} must be given`,
    UnexpectedPositionalError: ({ expectedCount, input }) =>
      `${JSON.stringify(input)} is one argument too many: this command takes ${expectedCount}`,
  });
}
