import "./malformed.test.ts";
