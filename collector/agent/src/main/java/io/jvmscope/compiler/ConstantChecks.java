package io.jvmscope.compiler;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.Set;
import javax.lang.model.element.Modifier;

/**
 * Checks the counters and states of a probe: which columns they name, and that they are constants.
 */
final class ConstantChecks extends TreePathScanner<Void, Void> {
  private static final Set<String> STATES = Set.of("ContextState", "ThreadState");

  private final Trees trees;
  private final Set<String> counters;

  ConstantChecks(Trees trees, Set<String> counters) {
    this.trees = trees;
    this.counters = counters;
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
    ExpressionTree named = call.getMethodSelect();
    if (named instanceof MemberSelectTree select
        && select.getIdentifier().contentEquals("of")
        && select.getExpression().toString().endsWith("Counter")) {
      ExpressionTree argument = call.getArguments().get(0);
      Object name = argument instanceof LiteralTree literal ? literal.getValue() : null;
      if (name == null || !counters.contains(name)) {
        throw SourceChecks.refused(
            trees,
            getCurrentPath(),
            "no table of the probe counts in "
                + argument
                + "; columns of counts: "
                + String.join(", ", counters));
      }
    }
    return super.visitMethodInvocation(call, nothing);
  }

  /** A state has its number by where it is made. */
  @Override
  public Void visitNewClass(NewClassTree made, Void nothing) {
    String text = made.getIdentifier().toString();
    String name = text.substring(text.lastIndexOf('.') + 1);
    TreePath path = getCurrentPath();
    if (STATES.contains(name) && !isConstant(path.getParentPath().getLeaf())) {
      throw SourceChecks.refused(
          trees,
          path,
          "a state is a constant: expected static final " + name + " NAME = new " + name + "()");
    }
    return super.visitNewClass(made, nothing);
  }

  private static boolean isConstant(Tree holder) {
    return holder instanceof VariableTree variable
        && variable.getModifiers().getFlags().containsAll(Set.of(Modifier.STATIC, Modifier.FINAL));
  }
}
