// Case classes, collections, lazy values, closures, pattern matching and exceptions of Scala.
import scala.collection.mutable

object Lives {
  class Thing { Watch.see(this) }
  final class InList extends Thing
  final class InMap extends Thing
  final class Captured extends Thing
  final class Lazily extends Thing
  final class Carried extends Thing
  final class Argument extends Thing
  final class InBuffer extends Thing
  case class Leaf(thing: Thing) extends Thing
  case class Pair(left: Thing, right: Thing) extends Thing
  final class Failure(val carried: Carried) extends RuntimeException(null, null, false, false)

  class Holder {
    lazy val kept: Lazily = { Watch.tick(); new Lazily }
  }

  def lists(): Unit = {
    var list = (1 to 6).map(_ => new InList).toList
    Watch.tick()
    while (list.nonEmpty) {
      list = list.tail
      Watch.tick()
    }
    var mapped = List(new InList, new InList).map(thing => Leaf(thing))
    Watch.tick()
    mapped = mapped.take(1)
    Watch.tick()
    mapped = Nil
    Watch.tick()
  }

  def maps(): Unit = {
    var map = Map(1 -> new InMap, 2 -> new InMap, 3 -> new InMap)
    val mutableMap = mutable.HashMap(1 -> new InMap)
    Watch.tick()
    map = map - 2
    Watch.tick()
    map = map.updated(3, new InMap)
    mutableMap.remove(1)
    Watch.tick()
    map = Map.empty
    Watch.tick()
    val buffer = mutable.ArrayBuffer(new InBuffer, new InBuffer, new InBuffer)
    Watch.tick()
    buffer.remove(1)
    Watch.tick()
    buffer.clear()
    Watch.tick()
  }

  def closures(): Unit = {
    val captured = new Captured
    var function: Int => Int = n => { Watch.tick(); if (captured == null) 0 else n }
    println(List(1, 2, 3).map(function).sum)
    function = n => n
    Watch.tick()
    println(function(1))
  }

  def lazily(): Unit = {
    var holder = new Holder
    Watch.tick()
    println(holder.kept != null)
    Watch.tick()
    holder = null
    Watch.tick()
  }

  def depth(thing: Thing): Int = thing match {
    case Pair(left, right) => Watch.tick(); depth(left) max depth(right)
    case Leaf(inner) => Watch.tick(); if (inner == null) 0 else 1
    case _ => 0
  }

  def named(a: => Thing, n: Int): Int = if (n == 0) 0 else { Watch.tick(); a; named(a, n - 1) }

  def failing(n: Int, thing: Argument): Int = {
    Watch.tick()
    if (n == 0) throw new Failure(new Carried)
    1 + failing(n - 1, new Argument)
  }

  def failures(): Unit = {
    try println(failing(2, new Argument))
    catch { case e: Failure => Watch.tick(); println(e.carried != null) }
    finally Watch.tick()
  }

  def main(args: Array[String]): Unit = {
    Watch.begin(args)
    lists()
    maps()
    closures()
    lazily()
    println(depth(Pair(Pair(Leaf(new Thing), Leaf(new Thing)), Leaf(null))))
    println(named(new Argument, 3))
    failures()
    val sum = for (thing <- Option(new Captured); other <- Some(Leaf(thing))) yield { Watch.tick(); 1 }
    Watch.tick()
    println(sum)
    Watch.end()
  }
}
