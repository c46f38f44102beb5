// A program in another language is a module with its text (../program-texts.ts).
declare module "*.py" {
  export const text: string;
}
declare module "*.R" {
  export const text: string;
}
