import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Spark in one process, on two threads: a word count, and SQL over a made table of trades. The size
 * is how many queries it answers, since each brings code of its own: the table's rows bring calls.
 */
public final class Trades {
  private static final String[] WORDS =
      "river stone garden window silver market letter engine forest castle winter bridge".split(" ");

  private static final String TABLE =
      """
      CREATE OR REPLACE TEMPORARY VIEW trade AS
      SELECT id, id % 97 AS trader, id % 13 AS market, (id * 7919) % 1000 AS price,
             concat('t', id % 31) AS tag
      FROM range(0, 10000, 1, 2)
      """;

  private static final List<String> QUERIES =
      List.of(
          "SELECT market, count(*), sum(price), max(tag) FROM trade GROUP BY market ORDER BY 1",
          "SELECT a.trader, sum(b.price) FROM trade a JOIN trade b ON a.id = b.id + 1"
              + " WHERE a.market < 5 GROUP BY a.trader HAVING sum(b.price) > 100 ORDER BY 1",
          "SELECT * FROM (SELECT trader, price, id, row_number()"
              + " OVER (PARTITION BY trader ORDER BY price DESC, id) AS place FROM trade)"
              + " WHERE place <= 2 ORDER BY trader, place",
          "SELECT tag, count(DISTINCT market), avg(price) FROM trade"
              + " WHERE price > (SELECT avg(price) FROM trade) GROUP BY tag ORDER BY tag");

  public static void main(String[] args) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("trades")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "4")
            .getOrCreate();
    try {
      Iterations.run(args, () -> work(spark, Iterations.size(args)));
    } finally {
      spark.stop();
    }
  }

  private static String work(SparkSession spark, int size) {
    int hash = Iterations.mix(1, words(JavaSparkContext.fromSparkContext(spark.sparkContext())));
    spark.sql(TABLE);
    long rows = 0;
    for (String query : QUERIES.subList(0, size)) {
      Dataset<Row> answer = spark.sql(query);
      for (Row row : answer.collectAsList()) {
        hash = Iterations.mix(hash, row);
        rows++;
      }
    }
    return "rows " + rows + " " + hash;
  }

  private static List<Tuple2<String, Integer>> words(JavaSparkContext spark) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      lines.add(WORDS[i % 12] + " " + WORDS[i * 5 % 12] + " " + WORDS[i * i % 12]);
    }
    return spark
        .parallelize(lines, 2)
        .flatMap(line -> Arrays.asList(line.split(" ")).iterator())
        .mapToPair(word -> new Tuple2<>(word, 1))
        .reduceByKey(Integer::sum)
        .sortByKey()
        .collect();
  }
}
