package io.jvmscope.snippet;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a method returned, or an instruction left. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.CLASS)
public @interface Result {}
