package io.jvmscope.snippet;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A snippet that runs after the code of a point has ended with an exception. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.CLASS)
public @interface AfterThrowing {
  /** Where it is inserted. */
  Point value();

  /** The methods into which it is inserted, {@code CLASS.METHOD} in JVM form; * is any text. */
  String scope() default "*";

  /** A static method of the class that takes a {@link Site} and says whether to insert there. */
  String guard() default "";
}
