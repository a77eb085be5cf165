package io.jvmscope.probe;

/**
 * A method cache of a processor, which is simulated: it holds whole methods, each in consecutive
 * blocks.
 *
 * @param blocks how many blocks it has
 * @param blockBytes bytes of a block
 */
record CacheShape(int blocks, int blockBytes) {
  private static final int WORD_BYTES = 4;

  /** Reads {@code 16x256}: the blocks and the bytes of each; null for an empty text. */
  public static CacheShape parse(String text) {
    if (text == null || text.isEmpty()) {
      return null;
    }
    int times = text.indexOf('x');
    return new CacheShape(
        Integer.parseInt(text.substring(0, times)), Integer.parseInt(text.substring(times + 1)));
  }

  /**
   * The blocks that a method takes. JOP divides its words by those of a block and adds one, so that
   * a method that fills its blocks takes one more.
   *
   * @param codeBytes size of its code
   */
  int blocksOf(int codeBytes) {
    int words = (codeBytes + WORD_BYTES - 1) / WORD_BYTES;
    return Math.min(words * WORD_BYTES / blockBytes + 1, 0xFFFF);
  }

  /** The blocks of a method in the upper 16 bits, those of the cache in the lower. */
  int shapeOf(int codeBytes) {
    return blocksOf(codeBytes) << 16 | blocks;
  }

  @Override
  public String toString() {
    return blocks + "x" + blockBytes;
  }
}
