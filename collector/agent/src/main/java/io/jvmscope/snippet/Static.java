package io.jvmscope.snippet;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What is known of the place when code is instrumented. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.CLASS)
public @interface Static {
  /** Which of it. */
  Fact value();
}
