// Lays the pages that the package in this folder names into it; part of `prepack`.
import { layPages } from "./docs/package-pages.mjs";

layPages(process.cwd());
