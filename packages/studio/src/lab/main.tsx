import { render } from "preact";
import { Shell } from "../page/shell.tsx";
import { followTheme } from "../page/theme.ts";
import { Presets, RunButton, SettingForm } from "./form.tsx";
import { Finding, Results } from "./results.tsx";
import { points, readAddress, running, said, setting, start, trouble } from "./session.ts";
import { toHash } from "./setting.ts";

const Page = () => (
  <Shell page="/lab" state={<span>Simulated in this tab</span>}>
    <div class="lab">
      <Presets />
      <SettingForm />
      <Results />
    </div>
  </Shell>
);

/** In a frame of another page: presets, the finding, and a way to the rest. */
const Embedded = () => (
  <main class="embedded">
    <h1 class="hidden">The lab</h1>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (trouble.value === null) start();
      }}
    >
      <Presets />
      <div class="actions">
        <RunButton />
        <a class="button" target="_blank" rel="noreferrer" href={`${location.pathname}#${toHash(setting.value)}`}>
          Change it
        </a>
      </div>
      <p class="small quiet" role="status">
        {running.value ? `Round ${points.value.at(-1)?.round ?? 0} of ${setting.value.rounds}` : said.value}
      </p>
    </form>
    <Finding height={190} />
  </main>
);

/** For tests; nothing of the page depends on it. */
Object.assign(globalThis, { coterie: { points } });

followTheme();
readAddress();
addEventListener("hashchange", readAddress);
const root = document.getElementById("app");
const embedded = new URLSearchParams(location.search).has("embed");
if (root !== null) render(embedded ? <Embedded /> : <Page />, root);
