package io.jvmscope.snippet;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An argument. The snippet is inserted where it has the parameter's type; an {@code int} also takes
 * smaller numbers, a {@code long} all whole ones, an {@code Object} all objects.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.CLASS)
public @interface Argument {
  /** Every argument of the type, one after the other. */
  int EACH = -1;

  /** Its number, from 0. */
  int value() default EACH;
}
