package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ICONST_1;
import static org.objectweb.asm.Opcodes.IFNE;
import static org.objectweb.asm.Opcodes.IF_ICMPNE;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.LCMP;
import static org.objectweb.asm.Opcodes.LCONST_0;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import io.jvmscope.classfile.ClassTree;
import io.jvmscope.probe.RuntimeMethod;
import io.jvmscope.probe.Snippet;
import io.jvmscope.probe.Snippet.Kind;
import io.jvmscope.probe.Snippet.Parameter;
import io.jvmscope.probe.Snippets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The classes of a user's own probe as they go into java.base, so that all code can call them: in
 * the package of the {@link RuntimeClasses}, under names of their own, with the runtime's classes
 * in the place of the API's. A generated class calls the snippets; see {@code SnippetProbe}.
 */
final class SnippetClasses {
  private static final String API = "io/jvmscope/snippet/";
  private static final String PROBE = RuntimeClasses.PACKAGE + "SnippetProbe";
  private static final String CONTEXT = RuntimeClasses.PACKAGE + "SnippetContext";

  private final List<byte[]> compiled = new ArrayList<>();

  /** Reads the class files of a directory. */
  SnippetClasses(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(p -> p.toString().endsWith(".class")).sorted().toList()) {
        compiled.add(Files.readAllBytes(file));
      }
    }
  }

  /** Adds the classes to a patch of java.base. */
  void addTo(PatchJar patch, Snippets probe) {
    List<String> own = new ArrayList<>();
    for (byte[] bytes : compiled) {
      own.add(new ClassReader(bytes).getClassName());
    }
    StateNumbers numbers = new StateNumbers();
    for (byte[] bytes : compiled) {
      ClassNode tree = new ClassTree();
      new ClassReader(bytes).accept(tree, 0);
      FewKeys.apply(tree);
      ClassWriter writer = new ClassWriter(0);
      tree.accept(numbers.given(new ClassRemapper(writer, remapper(own))));
      patch.add(moved(tree.name), writer.toByteArray());
    }
    patch.add(Snippets.CALLS, calls(probe));
  }

  private static String moved(String name) {
    return Snippets.CLASSES + name.replace('/', '$');
  }

  private static Remapper remapper(List<String> own) {
    return new Remapper(Opcodes.ASM9) {
      @Override
      public String map(String name) {
        if (name.startsWith(API)) {
          return RuntimeClasses.PACKAGE + "Snippet" + name.substring(API.length());
        }
        return own.contains(name) ? moved(name) : name;
      }
    };
  }

  private static byte[] calls(Snippets probe) {
    ClassNode tree = new ClassTree();
    tree.version = V17;
    tree.access = ACC_PUBLIC | ACC_FINAL;
    tree.name = Snippets.CALLS;
    tree.superName = Calls.OBJECT;
    for (Snippet snippet : probe.snippets()) {
      if (!snippet.isAtEnd()) {
        tree.methods.add(call(snippet));
      }
    }
    tree.methods.add(allows(probe));
    ClassWriter writer = new ClassWriter(0);
    tree.accept(writer);
    return writer.toByteArray();
  }

  /** Asks the guard of a snippet. */
  private static MethodNode allows(Snippets probe) {
    String site = "L" + RuntimeClasses.PACKAGE + "SnippetSite;";
    MethodNode method = new MethodNode(ACC_STATIC, "allows", "(I" + site + ")Z", null, null);
    InsnList code = method.instructions;
    for (Snippet snippet : probe.snippets()) {
      if (!snippet.guard().isEmpty()) {
        LabelNode next = new LabelNode();
        code.add(new VarInsnNode(ILOAD, 0));
        code.add(Push.of(snippet.number()));
        code.add(new JumpInsnNode(IF_ICMPNE, next));
        code.add(new VarInsnNode(ALOAD, 1));
        code.add(Bodies.call(moved(snippet.owner()), snippet.guard(), "(" + site + ")Z"));
        code.add(new InsnNode(IRETURN));
        code.add(next);
        Object[] locals = {Opcodes.INTEGER, RuntimeClasses.PACKAGE + "SnippetSite"};
        code.add(new FrameNode(Opcodes.F_NEW, 2, locals, 0, new Object[0]));
      }
    }
    code.add(new InsnNode(ICONST_1));
    code.add(new InsnNode(IRETURN));
    method.maxLocals = 2;
    method.maxStack = 2;
    return method;
  }

  private static MethodNode call(Snippet snippet) {
    RuntimeMethod entry = snippet.entry();
    int access = ACC_PUBLIC | ACC_STATIC;
    MethodNode method = new MethodNode(access, entry.name(), entry.descriptor(), null, null);
    method.visitAnnotation("Ljdk/internal/vm/annotation/Hidden;", true);
    int size = Type.getArgumentsAndReturnSizes(entry.descriptor()) >> 2;
    int slot = size - 1; // sizes count a receiver
    int node = slot - 3;
    LabelNode runs = new LabelNode();
    LabelNode start = new LabelNode();
    LabelNode failed = new LabelNode();
    LabelNode lost = new LabelNode();
    InsnList code = method.instructions;
    code.add(new VarInsnNode(LLOAD, node));
    code.add(Bodies.call(PROBE, "begin", "(J)J"));
    code.add(new VarInsnNode(LSTORE, slot));
    code.add(new VarInsnNode(LLOAD, slot));
    code.add(new InsnNode(LCONST_0));
    code.add(new InsnNode(LCMP));
    code.add(new JumpInsnNode(IFNE, runs));
    code.add(new InsnNode(RETURN));
    code.add(runs);
    code.add(frame(entry));
    code.add(start);
    pushParameters(snippet, node, code);
    String owner = moved(snippet.owner());
    code.add(Bodies.call(owner, snippet.method(), descriptor(snippet)));
    addEnd(code, slot);
    code.add(failed);
    code.add(caught(entry));
    code.add(new VarInsnNode(LLOAD, node));
    code.add(new VarInsnNode(ILOAD, node + 2));
    code.add(Push.of(snippet.number()));
    code.add(Bodies.call(PROBE, "failed", "(Ljava/lang/Throwable;JII)V"));
    addEnd(code, slot);
    code.add(lost);
    code.add(caught(entry));
    code.add(new InsnNode(POP));
    addEnd(code, slot);
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, failed, failed, null));
    method.tryCatchBlocks.add(new TryCatchBlockNode(failed, lost, lost, null));
    method.maxLocals = slot + 2;
    method.maxStack = Math.max(size, 5);
    return method;
  }

  private static void pushParameters(Snippet snippet, int node, InsnList code) {
    int local = 0;
    for (Parameter parameter : snippet.parameters()) {
      if (parameter.kind() == Kind.CONTEXT) {
        code.add(new VarInsnNode(LLOAD, node));
        code.add(new VarInsnNode(ILOAD, node + 2));
        code.add(Bodies.call(PROBE, "context", "(JI)L" + CONTEXT + ";"));
        continue;
      }
      Type passed = Type.getType(parameter.passed());
      code.add(new VarInsnNode(passed.getOpcode(ILOAD), local));
      if (!parameter.passed().equals(parameter.type())) {
        code.add(
            new TypeInsnNode(Opcodes.CHECKCAST, Type.getType(parameter.type()).getInternalName()));
      }
      local += passed.getSize();
    }
  }

  private static String descriptor(Snippet snippet) {
    return snippet.descriptor().replace("L" + API + "Context;", "L" + CONTEXT + ";");
  }

  private static void addEnd(InsnList code, int slot) {
    code.add(new VarInsnNode(LLOAD, slot));
    code.add(Bodies.call(PROBE, "end", "(J)V"));
    code.add(new InsnNode(RETURN));
  }

  private static FrameNode frame(RuntimeMethod entry) {
    Object[] locals = locals(entry);
    return new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]);
  }

  private static FrameNode caught(RuntimeMethod entry) {
    Object[] locals = locals(entry);
    Object[] stack = {"java/lang/Throwable"};
    return new FrameNode(Opcodes.F_NEW, locals.length, locals, 1, stack);
  }

  private static Object[] locals(RuntimeMethod entry) {
    List<Object> locals = new ArrayList<>();
    for (Type type : Type.getArgumentTypes(entry.descriptor())) {
      locals.add(
          switch (type.getSort()) {
            case Type.LONG -> Opcodes.LONG;
            case Type.DOUBLE -> Opcodes.DOUBLE;
            case Type.FLOAT -> Opcodes.FLOAT;
            case Type.OBJECT -> type.getInternalName();
            default -> Opcodes.INTEGER;
          });
    }
    locals.add(Opcodes.LONG);
    return locals.toArray();
  }
}
