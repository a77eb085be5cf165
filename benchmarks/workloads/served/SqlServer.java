import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A shop in an H2 database in memory: an order, a price, a report, each a transaction. */
public final class SqlServer {
  private static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";
  private static final int ITEMS = 1_000;
  private static final int KEPT = 2_000;

  private final ThreadLocal<Connection> connections =
      ThreadLocal.withInitial(SqlServer::connected);

  public static void main(String[] args) throws Exception {
    fill();
    SqlServer server = new SqlServer();
    OpenLoad.run(Integer.parseInt(args[0]), server::serve);
  }

  private static Connection connected() {
    try {
      return DriverManager.getConnection(URL, "sa", "");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void fill() throws SQLException {
    try (Connection db = connected();
        Statement statement = db.createStatement()) {
      statement.execute("create table item(id int primary key, name varchar(40), price int)");
      statement.execute(
          "create table orders(id bigint primary key, item int, amount int, city varchar(20))");
      statement.execute("create index by_item on orders(item)");
      statement.execute(
          "insert into item select x - 1, 'item ' || (x - 1), mod(x * 31, 500) from"
              + " system_range(1, "
              + ITEMS
              + ")");
    }
  }

  private void serve(long number) throws SQLException {
    Connection db = connections.get();
    switch ((int) (number % 10)) {
      case 0, 1, 2, 3 -> order(db, number);
      case 9 -> report(db, number);
      default -> price(db, number);
    }
  }

  private static void order(Connection db, long number) throws SQLException {
    try (PreparedStatement insert =
            db.prepareStatement("insert into orders values(?, ?, ?, ?)");
        PreparedStatement delete = db.prepareStatement("delete from orders where id = ?")) {
      insert.setLong(1, number);
      insert.setInt(2, (int) (number * 31 % ITEMS));
      insert.setInt(3, (int) (number % 9));
      insert.setString(4, "city" + number % 13);
      insert.executeUpdate();
      delete.setLong(1, number - KEPT);
      delete.executeUpdate();
    }
  }

  private static void price(Connection db, long number) throws SQLException {
    try (PreparedStatement query =
        db.prepareStatement("select name, price from item where id = ?")) {
      query.setInt(1, (int) (number % ITEMS));
      expectRow(query);
    }
  }

  private static void report(Connection db, long number) throws SQLException {
    try (PreparedStatement query =
        db.prepareStatement(
            "select i.name, count(o.id), coalesce(sum(o.amount * i.price), 0) from item i"
                + " left join orders o on o.item = i.id where i.id between ? and ?"
                + " group by i.name order by 3 desc")) {
      int first = (int) (number % (ITEMS - 20));
      query.setInt(1, first);
      query.setInt(2, first + 20);
      expectRow(query);
    }
  }

  private static void expectRow(PreparedStatement query) throws SQLException {
    try (ResultSet rows = query.executeQuery()) {
      if (!rows.next()) {
        throw new SQLException("no row");
      }
    }
  }
}
