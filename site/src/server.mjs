import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** A server of the files below `root`, under `base`: "/" or a path that begins and ends with a slash. */
export function siteServer(root, base = "/") {
  return createServer((request, response) => {
    const file = fileOf(root, base, request.url);
    if (file === null) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not here\n");
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
}

/** Null for what is not there, or not below the root. */
function fileOf(root, base, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://site").pathname);
  } catch {
    return null;
  }
  if (!path.startsWith(base) || path.includes("\0")) return null;
  const file = join(root, normalize(`/${path.slice(base.length)}`));
  if (file !== root && !file.startsWith(root.endsWith(sep) ? root : root + sep)) return null;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return fileOf(root, "/", `/${join(path.slice(base.length), "index.html")}`);
  return stats?.isFile() ? file : null;
}
