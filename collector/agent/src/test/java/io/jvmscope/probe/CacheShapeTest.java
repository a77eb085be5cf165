package io.jvmscope.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class CacheShapeTest {
  @Test
  void aMethodTakesTheBlocksOfItsWordsAndOneMore() {
    CacheShape cache = CacheShape.parse("16x256");

    assertEquals(new CacheShape(16, 256), cache);
    assertEquals(1, cache.blocksOf(1));
    assertEquals(1, cache.blocksOf(252)); // 63 words
    assertEquals(2, cache.blocksOf(253)); // 64 words fill a block
    assertEquals(2, cache.blocksOf(508));
    assertEquals(3, cache.blocksOf(509));
    assertEquals(256, cache.blocksOf(65_532)); // 16,383 words
    assertEquals("16x256", cache.toString());
  }

  @Test
  void noTextIsNoCache() {
    assertNull(CacheShape.parse(null));
    assertNull(CacheShape.parse(""));
  }

  @Test
  void aShapeIsTheMethodsBlocksAboveTheCaches() {
    assertEquals(2 << 16 | 4, new CacheShape(4, 16).shapeOf(20));
  }
}
