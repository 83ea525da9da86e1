/** The lab's page with its styles in one script: what a site of plain files loads. */
import "./studio.css";
import "./styles/lab.css";
import "../src/lab/main.tsx";
