package io.jvmscope.compiler;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.PrimitiveType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * Checks the keys that snippets give to {@code Counter.add}, as far as types tell: how many there
 * are, and whether each can be what its column takes. What types do not tell, such as an array of
 * keys, an {@code Object} or a number that is too large, is a failure when it is added.
 */
final class KeyChecks extends TreePathScanner<Void, Void> {
  private static final String COUNTER = "io.jvmscope.snippet.Counter";
  private static final int FIRST_KEY = 2; // behind the context and the count

  /** The classes of values that a kind of key takes; see {@code SnippetKeys}. */
  private static final Map<Character, List<String>> TAKEN =
      Map.of(
          'i', List.of("Integer", "Long", "Short", "Byte", "Character"),
          'l', List.of("Integer", "Long", "Short", "Byte", "Character"),
          's', List.of("Integer"),
          'c', List.of("Class"),
          't', List.of("String"),
          'b', List.of("Boolean"));

  private static final Map<Character, String> NAMES =
      Map.of(
          'i', "a whole number",
          'l', "a whole number",
          's', "a place, an int",
          'c', "a Class",
          't', "a String",
          'b', "a boolean");

  private final Trees trees;
  private final Types types;
  private final Elements elements;
  private final Map<String, CounterColumn> counters;

  KeyChecks(JavacTask task, Map<String, CounterColumn> counters) {
    this.trees = Trees.instance(task);
    this.types = task.getTypes();
    this.elements = task.getElements();
    this.counters = counters;
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
    if (isAdd() && call.getMethodSelect() instanceof MemberSelectTree select) {
      String name = columnOf(new TreePath(getCurrentPath(), select.getExpression()));
      if (name != null) {
        check(name, call.getArguments().subList(FIRST_KEY, call.getArguments().size()));
      }
    }
    return super.visitMethodInvocation(call, nothing);
  }

  private boolean isAdd() {
    Element called = trees.getElement(getCurrentPath());
    return called != null
        && called.getSimpleName().contentEquals("add")
        && called.getEnclosingElement() instanceof TypeElement type
        && type.getQualifiedName().contentEquals(COUNTER);
  }

  /** The column of a counter; null: it is not a constant, so that only running it tells. */
  private String columnOf(TreePath counter) {
    Element held = trees.getElement(counter);
    boolean isField = held != null && held.getKind() == ElementKind.FIELD;
    TreePath path = isField ? trees.getPath(held) : null;
    return path != null
            && path.getLeaf() instanceof VariableTree variable
            && variable.getInitializer() instanceof MethodInvocationTree made
            && made.getArguments().size() == 1
            && made.getArguments().get(0) instanceof LiteralTree name
        ? (String) name.getValue()
        : null;
  }

  private void check(String name, List<? extends ExpressionTree> given) {
    CounterColumn column = counters.get(name);
    if (given.size() == 1 && isArray(typeOf(given.get(0)))) {
      return;
    }
    if (given.size() != column.keys().size()) {
      String expected =
          switch (column.keys().size()) {
            case 0 -> "no key";
            case 1 -> "1 key, " + column.keys().get(0);
            default -> column.keys().size() + " keys, " + String.join(", ", column.keys());
          };
      refuse(getCurrentPath(), name + ": expected " + expected + "; found " + given.size());
    }
    for (int k = 0; k < given.size(); k++) {
      TypeMirror type = typeOf(given.get(k));
      if (!takes(column, k, type)) {
        String found = type.getKind() == TypeKind.NULL ? "null" : types.erasure(type).toString();
        String expected = NAMES.get(column.kind(k));
        refuse(
            new TreePath(getCurrentPath(), given.get(k)),
            name + ": " + column.keys().get(k) + " is " + expected + ", found " + found);
      }
    }
  }

  private TypeMirror typeOf(ExpressionTree argument) {
    return trees.getTypeMirror(new TreePath(getCurrentPath(), argument));
  }

  private boolean isArray(TypeMirror type) {
    return type.getKind() == TypeKind.ARRAY
        && types.isAssignable(type, types.getArrayType(typeNamed("Object")));
  }

  private boolean takes(CounterColumn column, int key, TypeMirror type) {
    if (type.getKind() == TypeKind.NULL) {
      return column.isNullable(key);
    }
    TypeMirror erased = types.erasure(type);
    TypeMirror boxed =
        erased instanceof PrimitiveType primitive ? types.boxedClass(primitive).asType() : erased;
    return TAKEN.get(column.kind(key)).stream()
        .map(this::typeNamed)
        .anyMatch(each -> types.isSubtype(each, boxed));
  }

  private TypeMirror typeNamed(String name) {
    return types.erasure(elements.getTypeElement("java.lang." + name).asType());
  }

  private void refuse(TreePath path, String message) {
    throw SourceChecks.refused(trees, path, message);
  }
}
