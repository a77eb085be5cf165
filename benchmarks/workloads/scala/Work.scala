import java.util.Locale
import scala.annotation.tailrec
import scala.collection.mutable

enum Json:
  case Null
  case Num(value: Long)
  case Str(value: String)
  case Arr(items: Vector[Json])
  case Obj(fields: List[(String, Json)])

object Json:
  def show(json: Json): String = json match
    case Null => "null"
    case Num(value) => value.toString
    case Str(value) => "\"" + value + "\""
    case Arr(items) => items.map(show).mkString("[", ",", "]")
    case Obj(fields) => fields.map((k, v) => s"\"$k\":${show(v)}").mkString("{", ",", "}")

  final class Parser(text: String):
    private var at = 0
    def parse(): Json = text(at) match
      case 'n' => at += 4; Null
      case '"' => Str(string())
      case '[' => Arr(items(']')(parse()).toVector)
      case '{' => Obj(items('}') { val key = string(); at += 1; key -> parse() })
      case _ =>
        val start = at
        while at < text.length && (text(at).isDigit || text(at) == '-') do at += 1
        Num(text.substring(start, at).toLong)
    private def string(): String =
      val end = text.indexOf('"', at + 1)
      val value = text.substring(at + 1, end)
      at = end + 1
      value
    private def items[T](close: Char)(one: => T): List[T] =
      val buffer = mutable.ListBuffer.empty[T]
      at += 1
      while text(at) != close do
        buffer += one
        if text(at) == ',' then at += 1
      at += 1
      buffer.toList

trait Monoid[T]:
  def zero: T
  extension (a: T) def |+|(b: T): T
given Monoid[Long] with
  def zero = 0L
  extension (a: Long) def |+|(b: Long) = a + b
given [K, V](using m: Monoid[V]): Monoid[Map[K, V]] with
  def zero = Map.empty
  extension (a: Map[K, V]) def |+|(b: Map[K, V]) =
    b.foldLeft(a) { case (all, (k, v)) => all.updated(k, all.getOrElse(k, m.zero) |+| v) }

def fold[T](items: Iterable[T])(using m: Monoid[T]): T = items.foldLeft(m.zero)(_ |+| _)

def document(i: Int): Json =
  Json.Obj(List("id" -> Json.Num(i), "tags" -> Json.Arr(Vector.tabulate(i % 5)(t => Json.Str(s"t${i * t % 13}"))),
    "next" -> (if i % 4 == 0 then Json.Null else Json.Obj(List("to" -> Json.Num(-i))))))

def tags(json: Json): Map[String, Long] = json match
  case Json.Obj(fields) => fold(fields.map((_, v) => tags(v)))
  case Json.Arr(items) => fold(items.map(tags))
  case Json.Str(tag) => Map(tag -> 1L)
  case _ => Map.empty

@tailrec def gcd(a: Long, b: Long): Long = if b == 0 then a else gcd(b, a % b)

def once(size: Int): String =
  val texts = (0 until size * 10).map(document andThen Json.show)
  val parsed = texts.map(Json.Parser(_).parse())
  val counts = fold(parsed.map(tags)).toList.sortBy((tag, n) => (-n, tag)).take(4)
  val coprime = (for a <- 1 to size; b <- 1 to size if gcd(a, b) == 1 yield a * b % 7).sum
  val stream = LazyList.from(1).filter(n => n.toString == n.toString.reverse).take(size * 2).last
  s"json ${texts.map(_.length).sum} ${parsed.map(Json.show) == texts}\ntags $counts\ncoprime $coprime\npalindrome $stream"

def processorMs =
  java.nio.file.Files.readString(java.nio.file.Path.of("/proc/thread-self/schedstat")).takeWhile(_ != ' ').toLong / 1e6

@main def work(size: Int, more: Int*): Unit =
  val iterations = more.headOption.getOrElse(1)
  var expected: Option[String] = None
  for _ <- 1 to iterations do
    val busy = if iterations > 1 then processorMs else 0.0
    val start = System.nanoTime()
    val result = once(size)
    val elapsed = (System.nanoTime() - start) / 1e6
    if expected.isEmpty then println(result)
    assert(expected.forall(_ == result))
    expected = Some(result)
    if iterations > 1 then
      System.err.println(String.format(Locale.ROOT, "ITER %.3f %.3f", elapsed, processorMs - busy))
