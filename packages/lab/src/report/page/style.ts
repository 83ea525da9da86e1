import { schemeRules } from "../figures/palette.ts";

/** The look of the page: one column, plain type, the figures' own colours. */
export const style = `${schemeRules(":root")}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%}
body{margin:0;font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:72rem;margin:0 auto;padding:3rem 1.5rem 5rem}
h1,h2,h3{line-height:1.25;font-weight:650;letter-spacing:-.01em;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:2.1rem;margin:0 0 .4rem}
h2{font-size:1.45rem;margin:3.5rem 0 1rem;padding-top:1.2rem;border-top:1px solid var(--grid)}
h3{font-size:1.15rem;margin:2.6rem 0 .4rem}
p{max-width:44rem;margin:.4rem 0 .9rem;text-wrap:pretty}
a{color:var(--series-0)}
a:focus-visible,button:focus-visible,summary:focus-visible{outline:2px solid var(--series-1);outline-offset:2px}
.lede,.note,figcaption,caption,.about{color:var(--muted)}
.note,figcaption,.about{font-size:.9rem}
.notice{border-left:4px solid var(--series-1);padding:.2rem 0 .2rem 1rem;margin:1.5rem 0}
.wide{overflow-x:auto;margin:1rem 0 .6rem}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums;line-height:1.35;min-width:100%}
caption{text-align:left;padding-bottom:.5rem}
th,td{padding:.45rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
th:first-child,td:first-child{padding-left:0}
thead th{font-weight:600;color:var(--muted);vertical-align:bottom;border-bottom:1px solid var(--muted)}
tbody th{font-weight:500;overflow-wrap:anywhere;min-width:8rem}
.number{text-align:right}
td small{display:block;color:var(--muted);font-size:.82em;white-space:nowrap}
td strong{font-weight:750}
th button{all:unset;cursor:pointer}
th button:hover{color:var(--ink)}
th[aria-sort] button{color:var(--ink)}
th[aria-sort=ascending] button::after{content:" ↑"}
th[aria-sort=descending] button::after{content:" ↓"}
figure{margin:1rem 0 0}
figure svg{display:block;max-width:100%;height:auto;min-width:40rem}
figcaption{margin:.4rem 0 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.2rem;margin:1rem 0}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
pre,code{font:.85rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{overflow-x:auto;padding:1rem;border:1px solid var(--grid);border-radius:6px}
summary{cursor:pointer}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;margin:1.2rem 0 0}
@media (max-width:40rem){main{padding:1.5rem 1rem 3rem}h1{font-size:1.7rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}
@media print{
main{max-width:none;padding:0}
body{font-size:10.5pt}
nav,.links{display:none}
.wide{overflow:visible}
figure svg{min-width:0}
table,th,td{font-size:7.5pt;padding-left:.25rem;padding-right:.25rem}
td small{white-space:normal}
tbody th{min-width:0}
figure,tr,.notice{break-inside:avoid}
h2,h3{break-after:avoid}
}`;
