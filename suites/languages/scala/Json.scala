import scala.collection.mutable
import languages.Work

/** Writes n records as JSON, reads them back, and sums up what was read. */
object Json:
  private enum Value:
    case Null
    case Flag(flag: Boolean)
    case Number(number: Int)
    case Text(text: String)
    case Items(items: Vector[Value])
    case Fields(fields: Vector[(String, Value)])

    def write: String = this match
      case Null => "null"
      case Flag(flag) => flag.toString
      case Number(number) => number.toString
      case Text(text) => quoted(text)
      case Items(items) => items.map(_.write).mkString("[", ",", "]")
      case Fields(fields) =>
        fields.map((key, value) => s"${quoted(key)}:${value.write}").mkString("{", ",", "}")

    def sum: Int = this match
      case Null => 7
      case Flag(flag) => if flag then 1 else 0
      case Number(number) => number
      case Text(text) => text.length
      case Items(items) => items.map(_.sum).sum
      case Fields(fields) => fields.map((key, value) => key.length * 3 + value.sum).sum

  import Value.*

  private def quoted(text: String): String =
    text.flatMap {
      case '"' => "\\\""
      case '\\' => "\\\\"
      case '\n' => "\\n"
      case c => c.toString
    }.mkString("\"", "", "\"")

  private def item(i: Int): Value = Fields(Vector(
    "id" -> Number(i),
    "name" -> Text(s"item \"${i * 7919 % 1000}\"\n"),
    "tags" -> Items(Vector.tabulate(i % 4)(t => Text(s"t${i * t}"))),
    "next" -> (if i % 3 == 0 then Null else Fields(Vector("to" -> Number(-i)))),
    "even" -> Flag(i % 2 == 0)))

  private final class Parser(text: String):
    private var at = 0

    def value(): Value = text(at) match
      case '{' => Fields(sequence('}') { val key = string(); at += 1; key -> value() })
      case '[' => Items(sequence(']')(value()))
      case '"' => Text(string())
      case 't' => word("true", Flag(true))
      case 'f' => word("false", Flag(false))
      case 'n' => word("null", Null)
      case _ => number()

    private def sequence[A](close: Char)(element: => A): Vector[A] =
      val elements = Vector.newBuilder[A]
      at += 1
      while text(at) != close do
        elements += element
        if text(at) == ',' then at += 1
      at += 1
      elements.result()

    private def string(): String =
      val string = mutable.StringBuilder()
      at += 1
      while text(at) != '"' do
        if text(at) == '\\' then
          at += 1
          string += (if text(at) == 'n' then '\n' else text(at))
        else string += text(at)
        at += 1
      at += 1
      string.toString

    private def word(word: String, value: Value): Value =
      at += word.length
      value

    private def number(): Value =
      val digits = text.view.drop(at).takeWhile(c => c == '-' || c.isDigit).mkString
      at += digits.length
      Number(digits.toInt)

  private def roundTrip(n: Int): String =
    val text = Items(Vector.tabulate(n)(item)).write
    val read = Parser(text).value()
    s"${text.length} ${read.sum} ${read.write.length}"

  def main(args: Array[String]): Unit = Work.run("json", args(0), roundTrip)
