import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** An order book in an in-memory database: inserts, joins, grouping, updates, a recursive query. */
public final class Sql {
  public static void main(String[] args) throws Exception {
    Iterations.run(args, () -> work(200 * Iterations.size(args)));
  }

  private static String work(int n) throws SQLException {
    try (Connection db = DriverManager.getConnection("jdbc:h2:mem:", "sa", "")) {
      schema(db);
      fill(db, n);
      int hash = 1;
      hash = Iterations.mix(hash, rows(db,
          "select c.city, count(*), sum(o.amount)"
              + " from customer c join orders o on o.customer = c.id"
              + " group by c.city having count(*) > 1 order by 3 desc, 1"));
      hash = Iterations.mix(hash, rows(db,
          "select o.id, o.amount,"
              + " rank() over (partition by o.customer order by o.amount desc, o.id) r"
              + " from orders o where o.amount > 500 order by o.id"));
      for (int i = 0; i < n / 4; i++) {
        hash = Iterations.mix(hash, rows(db,
            "select name from customer where id = " + i % 97
                + " and city in (select city from customer where id < 40)"));
      }
      hash = Iterations.mix(hash, rows(db,
          "with recursive chain(id, depth) as (select 0, 0 union all"
              + " select c.id, depth + 1 from customer c join chain on c.referrer = chain.id)"
              + " select depth, count(*) from chain group by depth order by depth"));
      try (Statement statement = db.createStatement()) {
        String update = "update orders set amount = amount + 1 where mod(id, 3) = 0";
        hash = 31 * hash + statement.executeUpdate(update);
        hash = 31 * hash + statement.executeUpdate("delete from orders where amount < 100");
      }
      hash = Iterations.mix(hash, rows(db, "select sum(amount), min(id), max(note) from orders"));
      return "sql " + n + " " + hash;
    }
  }

  private static void schema(Connection db) throws SQLException {
    try (Statement statement = db.createStatement()) {
      statement.execute(
          "create table customer(id int primary key, name varchar(40), city varchar(20),"
              + " referrer int)");
      statement.execute(
          "create table orders(id int primary key, customer int, amount int, note varchar(40))");
      statement.execute("create index by_customer on orders(customer)");
      statement.execute("create index by_referrer on customer(referrer)");
    }
  }

  private static void fill(Connection db, int n) throws SQLException {
    db.setAutoCommit(false);
    String insert = "insert into customer values(?, ?, ?, ?)";
    try (PreparedStatement customer = db.prepareStatement(insert)) {
      for (int i = 0; i < 97; i++) {
        customer.setInt(1, i);
        customer.setString(2, "customer " + i);
        customer.setString(3, "city" + i * i % 11);
        customer.setInt(4, i == 0 ? -1 : i / 3);
        customer.addBatch();
      }
      customer.executeBatch();
    }
    try (PreparedStatement order = db.prepareStatement("insert into orders values(?, ?, ?, ?)")) {
      for (int i = 0; i < n; i++) {
        order.setInt(1, i);
        order.setInt(2, i * 31 % 97);
        order.setInt(3, i * 7919 % 1000);
        order.setString(4, "note " + Integer.toString(i, 36));
        order.executeUpdate();
      }
    }
    db.commit();
  }

  private static String rows(Connection db, String query) throws SQLException {
    StringBuilder text = new StringBuilder();
    try (Statement statement = db.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int i = 1; i <= columns; i++) {
          text.append(rows.getString(i)).append('|');
        }
        text.append('\n');
      }
    }
    return text.toString();
  }
}
