import { check } from "@coterie/core";
import { buildCommand, type CommandContext, type RouteMap } from "@stricli/core";
import { completionScript, SHELLS, type Shell } from "../completion.ts";
import { guarded } from "../guard.ts";

/** `root` has the commands to complete; it is asked for when the command runs, because this command is one of them. */
export const completionCommand = (root: () => RouteMap<CommandContext>) =>
  buildCommand<Record<never, never>, [Shell]>({
    docs: {
      brief: "Print a script that completes commands and options in a shell",
      fullDescription:
        "bash: source <(coterie completion bash), for good in ~/.bashrc. zsh: the same with zsh, in ~/.zshrc after compinit. fish: coterie completion fish > ~/.config/fish/completions/coterie.fish",
    },
    parameters: {
      positional: {
        kind: "tuple",
        parameters: [
          {
            brief: "bash, zsh or fish",
            parse: (text: string): Shell => check.oneOf("SHELL", text, SHELLS),
            placeholder: "SHELL",
          },
        ],
      },
    },
    func(_flags, shell) {
      return guarded(async () => {
        process.stdout.write(await completionScript(shell, root()));
      });
    },
  });
