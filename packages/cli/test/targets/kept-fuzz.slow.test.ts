import "./kept-fuzz.test.ts";
