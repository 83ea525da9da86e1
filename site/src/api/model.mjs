import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Application, TSConfigReader } from "typedoc";
import { absolute, ROOT } from "../repository.mjs";

/** Kinds of TypeDoc's model that are shown, in this order. */
export const KINDS = [
  [64, "Functions"],
  [128, "Classes"],
  [256, "Interfaces"],
  [2097152, "Types"],
  [32, "Constants"],
  [4, "Namespaces"],
];

/** What a package exports, as TypeDoc's own JSON: the comments and types of the sources. */
export async function modelOf({ name, entries }, folder) {
  const at = (path) => absolute(`packages/${name}/${path}`);
  const app = await Application.bootstrap(
    {
      entryPoints: Object.values(entries).map(at),
      tsconfig: at("tsconfig.json"),
      skipErrorChecking: true,
      excludePrivate: true,
      excludeProtected: true,
      excludeInternal: true,
      excludeExternals: false,
      displayBasePath: ROOT,
      disableGit: true,
      sourceLinkTemplate: "{path}",
      validation: false,
      logLevel: "Error",
    },
    [new TSConfigReader()],
  );
  const project = await app.convert();
  if (project === undefined) throw new Error(`TypeDoc could not read packages/${name}`);
  const file = join(folder, `${name}.json`);
  await app.generateJson(project, file);
  const model = JSON.parse(readFileSync(file, "utf8"));
  const names = Object.keys(entries);
  if (names.length === 1) return [{ name: names[0], children: model.children }];
  return names.map((entry) => {
    const path = `packages/${name}/${entries[entry]}`;
    const found = model.children.find(({ sources }) => sources[0].fileName === path);
    if (found === undefined) throw new Error(`TypeDoc has no module of ${path}`);
    return { name: entry, children: found.children };
  });
}
