import jakarta.persistence.*;
import java.util.*;
import org.hibernate.*;
import org.hibernate.cfg.Configuration;

/** Hibernate maps two entities to H2, with lazy references and proxies. */
public final class HibernateUse {
  @Entity(name = "Author")
  public static class Author {
    @Id @GeneratedValue Long id;
    String name;

    @OneToMany(mappedBy = "author", cascade = CascadeType.ALL, fetch = FetchType.LAZY)
    List<Book> books = new ArrayList<>();

    @jakarta.persistence.Version int version;
    @Embedded Addr addr;
    @Enumerated K k = K.B;
  }

  @Entity(name = "Book")
  public static class Book {
    private Long id;
    private String title;
    private Author author;
    private java.math.BigDecimal price;

    @Id
    @GeneratedValue
    public Long getId() {
      return id;
    }

    public void setId(Long i) {
      id = i;
    }

    public String getTitle() {
      return title;
    }

    public void setTitle(String t) {
      title = t;
    }

    @ManyToOne(fetch = FetchType.LAZY)
    public Author getAuthor() {
      return author;
    }

    public void setAuthor(Author a) {
      author = a;
    }

    public java.math.BigDecimal getPrice() {
      return price;
    }

    public void setPrice(java.math.BigDecimal p) {
      price = p;
    }
  }

  @Embeddable
  public static class Addr {
    String street;
    int no;
  }

  enum K {
    A,
    B
  }

  public static void main(String[] a) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    Configuration c =
        new Configuration()
            .addAnnotatedClass(Author.class)
            .addAnnotatedClass(Book.class)
            .setProperty("hibernate.connection.url", "jdbc:h2:mem:t")
            .setProperty("hibernate.hbm2ddl.auto", "create-drop")
            .setProperty("hibernate.show_sql", "true");
    try (SessionFactory f = c.buildSessionFactory()) {
      Long id =
          f.fromTransaction(
              s -> {
                Author x = new Author();
                x.name = "n";
                x.addr = new Addr();
                x.addr.street = "st";
                x.addr.no = 3;
                for (int i = 0; i < 5; i++) {
                  Book b = new Book();
                  b.setTitle("t" + i);
                  b.setAuthor(x);
                  b.setPrice(new java.math.BigDecimal(i));
                  x.books.add(b);
                }
                s.persist(x);
                return x.id;
              });
      f.inTransaction(
          s -> {
            Author x = s.find(Author.class, id);
            System.out.println(x.name + x.addr.street + x.k + x.version);
            for (Book b : x.books) System.out.println(b.getTitle() + b.getPrice());
            x.name = "m";
          });
      f.inTransaction(
          s -> {
            Book b =
                s.createQuery("from Book b where b.title = 't2'", Book.class).getSingleResult();
            System.out.println(
                Hibernate.isInitialized(b.getAuthor())
                    + " "
                    + b.getAuthor().getClass().getSimpleName().startsWith("Author"));
            Hibernate.initialize(b.getAuthor());
            System.out.println(((Author) Hibernate.unproxy(b.getAuthor())).name);
            b.setTitle("new");
            Author r = s.getReference(Author.class, id);
            System.out.println(Hibernate.isInitialized(r));
          });
      f.inTransaction(
          s -> {
            System.out.println(
                s
                    .createQuery(
                        "select a.name, count(b), sum(b.price) from Author a join a.books b group"
                            + " by a.name",
                        Object[].class)
                    .getResultList()
                    .stream()
                    .map(Arrays::toString)
                    .toList());
            s.remove(s.find(Author.class, id));
          });
      f.inTransaction(
          s ->
              System.out.println(
                  s.createQuery("select count(*) from Book", Long.class).getSingleResult()));
    }
  }
}
