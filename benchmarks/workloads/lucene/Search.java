import java.io.IOException;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Indexes generated documents in memory, on one thread, and searches them. */
public final class Search {
  private static final String[] WORDS =
      ("river stone garden window silver market letter engine forest castle winter bridge "
              + "copper island shadow thunder harvest lantern meadow compass feather granite "
              + "harbour ivory jungle kettle ladder marble")
          .split(" ");

  public static void main(String[] args) throws Exception {
    Iterations.run(args, () -> work(50 * Iterations.size(args)));
  }

  private static String work(int n) throws IOException, ParseException {
    StandardAnalyzer analyzer = new StandardAnalyzer();
    try (Directory directory = new ByteBuffersDirectory()) {
      index(directory, analyzer, n);
      return search(directory, analyzer, n);
    }
  }

  private static void index(Directory directory, StandardAnalyzer analyzer, int n)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer)
            .setMergeScheduler(new SerialMergeScheduler())
            .setMaxBufferedDocs(100);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < n; i++) {
        Document document = new Document();
        document.add(new StringField("id", "d" + i, Field.Store.YES));
        document.add(new IntPoint("year", 1900 + i % 100));
        document.add(new TextField("body", body(i), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  private static String body(int i) {
    StringBuilder text = new StringBuilder();
    int seed = i * 2_654_435 + 1;
    for (int w = 0; w < 40; w++) {
      seed = seed * 1_103_515_245 + 12_345;
      int draw = seed >>> 8;
      text.append(WORDS[draw % (1 + draw % WORDS.length)]).append(w % 9 == 8 ? ". " : " ");
    }
    return text.append("unique").append(i).toString();
  }

  private static String search(Directory directory, StandardAnalyzer analyzer, int n)
      throws IOException, ParseException {
    int hash = 1;
    long hits = 0;
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      QueryParser parser = new QueryParser("body", analyzer);
      for (int i = 0; i < n / 4; i++) {
        String a = WORDS[i % WORDS.length];
        String b = WORDS[i * 7 % WORDS.length];
        String query =
            switch (i % 4) {
              case 0 -> a + " AND " + b;
              case 1 -> "\"" + a + " " + b + "\"~4";
              case 2 -> a.substring(0, 3) + "* -" + b;
              default -> a + "~1 unique" + i;
            };
        TopDocs top = searcher.search(parser.parse(query), 10);
        hits += top.scoreDocs.length;
        for (ScoreDoc doc : top.scoreDocs) {
          hash = Iterations.mix(hash, searcher.storedFields().document(doc.doc).get("id"));
        }
      }
      hits += searcher.count(IntPoint.newRangeQuery("year", 1910, 1939));
    }
    return "hits " + hits + " " + hash;
  }
}
