/** A module of the program. */
module app.own {
  exports app.inner;
}
