package io.jvmscope.dump;

/** Declared parameters by kind; the receiver is not one, and long and double count one. */
record ParameterCounts(int integers, int floatings, int references) {
  /** Counts the parameters of a method's descriptor. */
  static ParameterCounts of(String descriptor) {
    int integers = 0;
    int floatings = 0;
    int references = 0;
    for (int at = 1; descriptor.charAt(at) != ')'; at++) {
      char kind = descriptor.charAt(at);
      if (kind == 'F' || kind == 'D') {
        floatings++;
      } else if (kind == 'L' || kind == '[') {
        references++;
        at = end(descriptor, at);
      } else {
        integers++;
      }
    }
    return new ParameterCounts(integers, floatings, references);
  }

  /** Index of the last character of a reference type. */
  private static int end(String descriptor, int start) {
    int at = start;
    while (descriptor.charAt(at) == '[') {
      at++;
    }
    return descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) : at;
  }

  int total() {
    return integers + floatings + references;
  }
}
