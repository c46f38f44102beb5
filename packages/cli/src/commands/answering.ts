/** The part of the library that an exported module contains; it is bundled into one script. */
export { impute, loadAnyModel, predict } from "conformant";
