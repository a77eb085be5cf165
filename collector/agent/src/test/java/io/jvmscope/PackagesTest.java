package io.jvmscope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which package names which: the arrows of docs/architecture.md, in what was compiled. */
final class PackagesTest {
  private static final Path COMPILED = Path.of("target/classes/io/jvmscope");

  /** Tags of references to fields and methods, JVMS 4.4. */
  private static final Set<Integer> MEMBERS = Set.of(9, 10, 11);

  private static final Map<String, Set<String>> MAY_NAME =
      Map.ofEntries(
          Map.entry("classfile", Set.of()),
          Map.entry("consumer", Set.of()),
          Map.entry("snippet", Set.of()),
          Map.entry("compiler", Set.of()),
          Map.entry("tables", Set.of()),
          Map.entry("watch", Set.of("classfile")),
          Map.entry("study", Set.of("classfile")),
          Map.entry("calibration", Set.of()),
          Map.entry("arena", Set.of()),
          Map.entry("layout", Set.of("classfile", "arena")),
          Map.entry("probe", Set.of("classfile", "tables", "arena", "layout")),
          Map.entry("agent", Set.of("classfile", "consumer", "snippet", "layout", "probe")),
          Map.entry("dump", Set.of("classfile", "tables", "arena", "layout", "probe")));

  private static final String WRITER = "org/objectweb/asm/ClassWriter";
  private static final String TREE = "org/objectweb/asm/tree/ClassNode";

  private static final Pattern NAMED = Pattern.compile("io/jvmscope/(\\w+)/");

  private static List<ClassFile> compiled(Path directory) throws IOException {
    List<ClassFile> compiled = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path path : files.filter(p -> p.toString().endsWith(".class")).toList()) {
        compiled.add(new ClassFile(Files.readAllBytes(path)));
      }
    }
    return compiled;
  }

  /** The packages that a package's names, descriptors and signatures have in them. */
  private static Set<String> named(Path directory) throws IOException {
    Set<String> named = new TreeSet<>();
    for (ClassFile file : compiled(directory)) {
      for (int k = 1; k < file.poolSize(); k++) {
        Matcher match = NAMED.matcher(file.isUtf8(k) ? file.utf8(k) : "");
        while (match.find()) {
          named.add(match.group(1));
        }
      }
    }
    return named;
  }

  @Test
  void packagesNameOnlyThoseBelowThem() throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> packages = Files.list(COMPILED)) {
      for (Path directory : packages.filter(Files::isDirectory).toList()) {
        String own = directory.getFileName().toString();
        found.add(own);
        Set<String> named = named(directory);
        named.remove(own);
        named.removeAll(MAY_NAME.getOrDefault(own, Set.of()));
        assertEquals(Set.of(), named, own);
      }
    }
    assertEquals(MAY_NAME.keySet(), found);
  }

  /** ASM's own tree gives attributes of code to the method, where they may mean something else. */
  @Test
  void whoWritesClassesHasTreesWithoutAttributesOfCode() throws IOException {
    Set<String> found = new TreeSet<>();
    for (ClassFile file : compiled(COMPILED)) {
      boolean isWriter = false;
      boolean hasTree = false;
      for (int k = 1; k < file.poolSize(); k++) {
        isWriter |= file.isUtf8(k) && file.utf8(k).equals(WRITER);
        boolean isMember = file.poolOffset(k) != 0 && MEMBERS.contains(file.poolTag(k));
        hasTree |= isMember && file.member(k).equals(new ClassFile.Member(TREE, "<init>", "()V"));
      }
      if (isWriter && hasTree) {
        found.add(file.name());
      }
    }
    assertEquals(Set.of(), found);
  }

  /** Only java.base can name the class: what others use of it must be compiled into them. */
  @Test
  void theLayoutOfTheArenaIsConstants() throws IOException {
    for (ClassFile file : compiled(COMPILED)) {
      for (int k = 1; k < file.poolSize(); k++) {
        boolean isMember = file.poolOffset(k) != 0 && MEMBERS.contains(file.poolTag(k));
        assertFalse(isMember && file.member(k).owner().endsWith("ArenaLayout"), file.name());
      }
    }
  }
}
