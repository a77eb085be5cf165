package io.jvmscope.snippet;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that runs when the program has ended, outside of its VM, to count what states have come
 * to. It is told a {@link Context} alone.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.CLASS)
public @interface AtEnd {
  /** What it runs once for each of. */
  Each value() default Each.CONTEXT;
}
