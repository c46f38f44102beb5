import "./cut-files.test.ts";
