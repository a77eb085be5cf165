import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.LexerInterpreter;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.tool.Grammar;

/** Reads a grammar with ANTLR and parses a generated program with it. */
public final class Grammars {
  private static final String GRAMMAR =
      """
      grammar Toy;
      program : statement* EOF ;
      statement : 'let' ID '=' expression ';' | 'while' expression block
                | 'if' expression block ('else' block)? | expression ';' ;
      block : '{' statement* '}' ;
      expression : expression ('*' | '/') expression | expression ('+' | '-') expression
                 | expression ('<' | '==') expression | ID '(' arguments? ')'
                 | '(' expression ')' | ID | NUMBER | STRING ;
      arguments : expression (',' expression)* ;
      ID : [a-z_] [a-z0-9_]* ;
      NUMBER : [0-9]+ ('.' [0-9]+)? ;
      STRING : '"' (~["\\\\] | '\\\\' .)* '"' ;
      SPACE : [ \\t\\n]+ -> skip ;
      """;

  public static void main(String[] args) throws Exception {
    String program = program(10 * Iterations.size(args));
    Iterations.run(args, () -> parse(program));
  }

  private static String parse(String program) throws Exception {
    Grammar grammar = new Grammar(GRAMMAR);
    LexerInterpreter lexer = grammar.createLexerInterpreter(CharStreams.fromString(program));
    ParserInterpreter parser = grammar.createParserInterpreter(new CommonTokenStream(lexer));
    ParseTree tree = parser.parse(grammar.getRule("program").index);
    int hash = Iterations.mix(1, tree.toStringTree(parser));
    return "trees " + nodes(tree) + " " + parser.getNumberOfSyntaxErrors() + " " + hash;
  }

  private static int nodes(ParseTree tree) {
    int nodes = 1;
    for (int i = 0; i < tree.getChildCount(); i++) {
      nodes += nodes(tree.getChild(i));
    }
    return nodes;
  }

  private static String program(int n) {
    StringBuilder program = new StringBuilder();
    for (int i = 0; i < n; i++) {
      program.append("let x").append(i % 17).append(" = (").append(i).append(" + y * 3.").append(i);
      program.append(") / f(").append(i % 3 == 0 ? "" : "a, \"t\\\"" + i + "\"").append(");\n");
      program.append("if x < ").append(i).append(" { g(x); } else { while y { y - 1; } }\n");
    }
    return program.toString();
  }
}
