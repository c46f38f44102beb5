/** What a module that was exported carries of the library: built by itself into one script, without anything else. */
export { impute, loadModel, predict } from "conformant";
