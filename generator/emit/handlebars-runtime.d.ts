/** Handlebars without its compiler, which has no types of its own. */
declare module "handlebars/runtime.js" {
  import Handlebars from "handlebars";
  export default Handlebars;
}
