package io.jvmscope.compiler;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import io.jvmscope.compiler.SnippetCompiler.Refused;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** What the sources of a probe must obey beyond the language, and the snippets that they have. */
final class SourceChecks {
  private static final int EACH = -1; // of Argument, in the API
  private static final String API = "io.jvmscope.snippet.";
  private static final Set<String> TIMES = Set.of("Before", "After", "AfterThrowing", "AtEnd");

  /** What a snippet may be told at a point, as {@code WHEN POINT}; see {@link #told}. */
  private static final Map<String, Set<String>> TOLD =
      Map.ofEntries(
          Map.entry("before BODY", Set.of("Receiver", "Argument")),
          Map.entry("after BODY", Set.of("Result")),
          Map.entry("before BLOCK", Set.of()),
          Map.entry("after BLOCK", Set.of()),
          Map.entry("before CALL", Set.of("Receiver", "Argument")),
          Map.entry("after CALL", Set.of("Receiver", "Argument", "Result")),
          Map.entry("before FIELD_READ", Set.of("Receiver")),
          Map.entry("after FIELD_READ", Set.of("Receiver", "Result")),
          Map.entry("before FIELD_WRITE", Set.of("Receiver", "Argument")),
          Map.entry("after FIELD_WRITE", Set.of("Receiver", "Argument")),
          Map.entry("before ARRAY_READ", Set.of("Receiver", "Argument")),
          Map.entry("after ARRAY_READ", Set.of("Receiver", "Argument", "Result")),
          Map.entry("before ARRAY_WRITE", Set.of("Receiver", "Argument")),
          Map.entry("after ARRAY_WRITE", Set.of("Receiver", "Argument")),
          Map.entry("before ALLOCATION", Set.of("Argument")),
          Map.entry("after ALLOCATION", Set.of("Argument", "Result")),
          Map.entry("before MONITOR_ENTER", Set.of("Receiver")),
          Map.entry("after MONITOR_ENTER", Set.of("Receiver")),
          Map.entry("before MONITOR_EXIT", Set.of("Receiver")),
          Map.entry("after MONITOR_EXIT", Set.of("Receiver")),
          Map.entry("before HANDLER", Set.of("Thrown")),
          Map.entry("atend CONTEXT", Set.of()),
          Map.entry("atend THREAD", Set.of()));

  private final Trees trees;
  private final Types types;
  private final Elements elements;
  private final Map<String, CounterColumn> counters;
  private final KeyChecks keys;
  private final Iterable<? extends CompilationUnitTree> units;

  SourceChecks(
      JavacTask task,
      Map<String, CounterColumn> counters,
      Iterable<? extends CompilationUnitTree> units) {
    this.trees = Trees.instance(task);
    this.types = task.getTypes();
    this.elements = task.getElements();
    this.counters = counters;
    this.keys = new KeyChecks(task, counters);
    this.units = units;
  }

  /** A line for each snippet. */
  List<String> check(List<TypeElement> classes) {
    for (CompilationUnitTree unit : units) {
      new ConstantChecks(trees, counters.keySet()).scan(new TreePath(unit), null);
    }
    for (CompilationUnitTree unit : units) {
      keys.scan(new TreePath(unit), null);
    }
    List<String> lines = new ArrayList<>();
    for (TypeElement type : classes) {
      if (elements.getPackageOf(type).toString().startsWith("io.jvmscope")) {
        throw refused(type, "the package " + elements.getPackageOf(type) + " is jvmscope's own");
      }
      addSnippets(type, lines);
    }
    return lines;
  }

  private void addSnippets(TypeElement type, List<String> lines) {
    for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
      for (AnnotationMirror annotation : method.getAnnotationMirrors()) {
        String name = nameOf(annotation);
        if (TIMES.contains(name)) {
          lines.add(line(type, method, annotation, name.toLowerCase(Locale.ROOT)));
        }
      }
    }
  }

  private String line(
      TypeElement type, ExecutableElement method, AnnotationMirror annotation, String when) {
    checkStatic(type, method);
    String point = value(annotation, "value");
    Set<String> told = told(when, point);
    if (told == null) {
      String name = annotation.getAnnotationType().asElement().getSimpleName().toString();
      throw refused(method, "@" + name + " is not offered at " + point + "; @Before is");
    }
    String scope = "*";
    String guard = "";
    if (!when.equals("atend")) {
      scope = scope(method, value(annotation, "scope"));
      guard = value(annotation, "guard");
    }
    if (!guard.isEmpty()) {
      checkGuard(type, method, guard);
    }
    return String.join(
        "\t",
        "snippet",
        elements.getBinaryName(type).toString().replace('.', '/'),
        method.getSimpleName(),
        descriptor(method),
        when,
        point,
        scope,
        guard,
        parameters(method, told, when + " " + point));
  }

  /** What a snippet may be told; null: there is no such snippet. */
  private static Set<String> told(String when, String point) {
    boolean isThrown = when.equals("afterthrowing") && !point.equals("HANDLER");
    return isThrown ? Set.of("Thrown") : TOLD.get(when + " " + point);
  }

  private void checkStatic(TypeElement type, ExecutableElement method) {
    if (!method.getModifiers().contains(Modifier.STATIC)) {
      throw refused(method, "the snippet " + method.getSimpleName() + " is not static");
    }
    for (Element each = method; each.getKind() != ElementKind.PACKAGE; ) {
      if (each.getModifiers().contains(Modifier.PRIVATE)) {
        throw refused(method, each.getSimpleName() + " is private, so that nothing can call it");
      }
      each = each.getEnclosingElement();
    }
    if (method.getReturnType().getKind() != TypeKind.VOID) {
      throw refused(
          method,
          "a snippet returns nothing, "
              + method.getSimpleName()
              + " returns "
              + method.getReturnType());
    }
  }

  /** A scope that names methods; other languages than Java have names with blanks. */
  private String scope(ExecutableElement method, String scope) {
    String names = scope.indexOf('(') < 0 ? scope : scope.substring(0, scope.indexOf('('));
    boolean isNamed = names.contains(".") ? names.indexOf('.') == names.lastIndexOf('.') : true;
    if (scope.isEmpty()
        || !scope.equals(scope.strip())
        || scope.chars().anyMatch(Character::isISOControl)
        || !isNamed
        || !names.contains(".") && !names.contains("*")) {
      throw refused(
          method,
          "the scope \""
              + scope
              + "\": expected CLASS.METHOD in JVM form, such as java/util/*.get");
    }
    return scope;
  }

  private void checkGuard(TypeElement type, ExecutableElement method, String guard) {
    for (ExecutableElement each : ElementFilter.methodsIn(type.getEnclosedElements())) {
      if (each.getSimpleName().contentEquals(guard)
          && each.getModifiers().contains(Modifier.STATIC)
          && !each.getModifiers().contains(Modifier.PRIVATE)
          && each.getReturnType().getKind() == TypeKind.BOOLEAN
          && each.getParameters().size() == 1
          && each.getParameters().get(0).asType().toString().equals(API + "Site")) {
        return;
      }
    }
    throw refused(
        method,
        "the guard \""
            + guard
            + "\": expected a method static boolean "
            + guard
            + "(Site site) in "
            + type.getSimpleName());
  }

  private String descriptor(ExecutableElement method) {
    StringBuilder text = new StringBuilder("(");
    for (VariableElement parameter : method.getParameters()) {
      text.append(descriptor(parameter.asType()));
    }
    return text.append(")V").toString();
  }

  private String descriptor(TypeMirror type) {
    TypeMirror erased = types.erasure(type);
    return switch (erased.getKind()) {
      case BOOLEAN -> "Z";
      case BYTE -> "B";
      case CHAR -> "C";
      case SHORT -> "S";
      case INT -> "I";
      case LONG -> "J";
      case FLOAT -> "F";
      case DOUBLE -> "D";
      case ARRAY -> "[" + descriptor(((javax.lang.model.type.ArrayType) erased).getComponentType());
      default -> {
        TypeElement named = (TypeElement) types.asElement(erased);
        yield "L" + elements.getBinaryName(named).toString().replace('.', '/') + ";";
      }
    };
  }

  private String parameters(ExecutableElement method, Set<String> told, String place) {
    List<String> texts = new ArrayList<>();
    int forEach = 0;
    int indexes = 0;
    for (VariableElement parameter : method.getParameters()) {
      String text = parameter(parameter, told, place);
      texts.add(text);
      forEach += text.startsWith("ARGUMENT") && text.endsWith(":" + EACH) ? 1 : 0;
      indexes += text.startsWith("INDEX") ? 1 : 0;
    }
    if (forEach > 1 || indexes > forEach) {
      throw refused(
          method,
          forEach > 1
              ? "at most one parameter is each @Argument; give the others numbers"
              : "@Index is the number of each @Argument; there is none without a number");
    }
    return String.join(" ", texts);
  }

  private String parameter(VariableElement parameter, Set<String> told, String place) {
    String type = parameter.asType().toString();
    AnnotationMirror annotation = null;
    for (AnnotationMirror each : parameter.getAnnotationMirrors()) {
      if (each.getAnnotationType().toString().startsWith(API)) {
        if (annotation != null) {
          throw refused(parameter, "the parameter " + parameter + " has two annotations");
        }
        annotation = each;
      }
    }
    String descriptor = descriptor(parameter.asType());
    if (annotation == null && type.equals(API + "Context")) {
      return "CONTEXT:" + descriptor;
    }
    String name = annotation == null ? "" : nameOf(annotation);
    checkParameter(parameter, name, told, place);
    String detail =
        switch (name) {
          case "Argument", "Static" -> ":" + value(annotation, "value");
          default -> "";
        };
    if (name.equals("Argument") && Integer.parseInt(detail.substring(1)) < EACH) {
      String found = detail.substring(1);
      throw refused(parameter, "@Argument has a number from 0 on, or none, found " + found);
    }
    return name.toUpperCase(Locale.ROOT) + ":" + descriptor + detail;
  }

  private void checkParameter(
      VariableElement parameter, String name, Set<String> told, String place) {
    if (name.isEmpty()) {
      throw refused(
          parameter,
          "the parameter "
              + parameter
              + ": expected a Context, or one of the annotations @Receiver,"
              + " @Argument, @Index, @Result, @Thrown, @Place, @Static");
    }
    String point = place.substring(place.indexOf(' ') + 1);
    boolean isAtEnd = place.startsWith("atend");
    boolean isKnown =
        switch (name) {
          case "Index" -> told.contains("Argument");
          case "Place" -> !point.equals("BODY") && !isAtEnd;
          case "Static" -> !isAtEnd;
          default -> told.contains(name);
        };
    if (!isKnown) {
      String where = isAtEnd ? "at the end" : place.replace("afterthrowing", "after throwing at");
      throw refused(parameter, "there is no @" + name + " " + where);
    }
    String expected =
        switch (name) {
          case "Index", "Place" -> "int";
          case "Static" -> "java.lang.String";
          case "Thrown" -> "java.lang.Throwable";
          default -> null;
        };
    String type = parameter.asType().toString();
    if (expected != null && !type.equals(expected)) {
      throw refused(parameter, "@" + name + " is of the type " + expected + ", found " + type);
    }
  }

  private String nameOf(AnnotationMirror annotation) {
    String name = annotation.getAnnotationType().toString();
    return name.startsWith(API) ? name.substring(API.length()) : "";
  }

  private String value(AnnotationMirror annotation, String key) {
    for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> each :
        elements.getElementValuesWithDefaults(annotation).entrySet()) {
      if (each.getKey().getSimpleName().contentEquals(key)) {
        Object value = each.getValue().getValue();
        return value instanceof VariableElement constant
            ? constant.getSimpleName().toString()
            : value.toString();
      }
    }
    throw new IllegalStateException(key);
  }

  private Refused refused(Element element, String message) {
    return refused(trees, trees.getPath(element), message);
  }

  static Refused refused(Trees trees, TreePath path, String message) {
    CompilationUnitTree unit = path.getCompilationUnit();
    long at = trees.getSourcePositions().getStartPosition(unit, path.getLeaf());
    long line = unit.getLineMap().getLineNumber(Math.max(0, at));
    return new Refused(Path.of(unit.getSourceFile().toUri()) + ":" + line + ": " + message);
  }
}
