import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.LogManager;
import org.hibernate.Hibernate;
import org.hibernate.LazyInitializationException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;

/** Sessions of an object-relational mapper on a database in memory, with transactions. */
public class HibernateSessions {
  enum State {
    OPEN,
    DONE
  }

  @Embeddable
  public static class Address {
    String street;
    int number;

    protected Address() {}

    Address(String street, int number) {
      this.street = street;
      this.number = number;
    }
  }

  @Entity(name = "Customer")
  public static class Customer {
    @Id @GeneratedValue private Long id;
    private String name;
    @Version private int version;
    @Embedded private Address address;
    @ElementCollection private Set<String> tags = new TreeSet<>();

    @OneToMany(mappedBy = "customer", cascade = CascadeType.ALL, orphanRemoval = true)
    @OrderBy("id")
    private List<Purchase> purchases = new ArrayList<>();

    protected Customer() {}

    Customer(String name, Address address) {
      this.name = name;
      this.address = address;
    }

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }
  }

  @Entity(name = "Purchase")
  @Inheritance(strategy = InheritanceType.JOINED)
  public static class Purchase {
    @Id @GeneratedValue private Long id;
    private long cents;

    @Enumerated(EnumType.STRING)
    private State state = State.OPEN;

    @ManyToOne(fetch = FetchType.LAZY)
    private Customer customer;

    @ManyToMany(cascade = CascadeType.PERSIST)
    @OrderBy("title")
    private List<Item> items = new ArrayList<>();

    protected Purchase() {}

    Purchase(Customer customer, long cents) {
      this.customer = customer;
      this.cents = cents;
      customer.purchases.add(this);
    }

    public Customer getCustomer() {
      return customer;
    }
  }

  @Entity(name = "Gift")
  public static class Gift extends Purchase {
    private String message;

    protected Gift() {}

    Gift(Customer customer, long cents, String message) {
      super(customer, cents);
      this.message = message;
    }
  }

  @Entity(name = "Item")
  public static class Item {
    @Id private String title;
    private byte[] picture;

    protected Item() {}

    Item(String title) {
      this.title = title;
      this.picture = title.getBytes();
    }
  }

  static SessionFactory factory() {
    Configuration configuration = new Configuration();
    for (Class<?> entity : List.of(Customer.class, Purchase.class, Gift.class, Item.class)) {
      configuration.addAnnotatedClass(entity);
    }
    return configuration
        .setProperty("hibernate.connection.url", "jdbc:h2:mem:sessions;DB_CLOSE_DELAY=-1")
        .setProperty("hibernate.connection.username", "sa")
        .setProperty("hibernate.hbm2ddl.auto", "create-drop")
        .setProperty("hibernate.jdbc.batch_size", "20")
        .buildSessionFactory();
  }

  public static void main(String[] args) {
    LogManager.getLogManager().reset();
    int size = args.length == 0 ? 12 : Integer.parseInt(args[0]);
    try (SessionFactory factory = factory()) {
      factory.inTransaction(session -> fill(session, size));
      factory.inTransaction(HibernateSessions::query);
      change(factory);
      conflict(factory);
      outside(factory);
      factory.inTransaction(
          session -> {
            Customer first = session.createQuery("from Customer order by id", Customer.class)
                .setMaxResults(1).getSingleResult();
            session.remove(first);
          });
      factory.inTransaction(
          session -> {
            for (String entity : List.of("Customer", "Purchase", "Gift", "Item")) {
              Long count =
                  session.createQuery("select count(e) from " + entity + " e", Long.class)
                      .getSingleResult();
              System.out.println(entity + " " + count);
            }
          });
    }
    System.out.println("closed");
  }

  static void fill(Session session, int size) {
    Item[] items = new Item[5];
    for (int i = 0; i < items.length; i++) {
      items[i] = new Item("item" + i);
    }
    for (int i = 0; i < size; i++) {
      Customer customer = new Customer("customer" + i, new Address("street", i));
      customer.tags.add("tag" + i % 3);
      customer.tags.add("all");
      for (int n = 0; n < 4; n++) {
        Purchase purchase =
            n == 3 ? new Gift(customer, n, "for " + i) : new Purchase(customer, i * 100L + n);
        purchase.items.add(items[(i + n) % items.length]);
        purchase.items.add(items[(i + n + 1) % items.length]);
      }
      session.persist(customer);
    }
  }

  static void query(Session session) {
    List<Customer> customers =
        session
            .createQuery("from Customer c where c.address.number < :n order by c.id", Customer.class)
            .setParameter("n", 3)
            .list();
    for (Customer customer : customers) {
      System.out.print(customer.name + customer.tags + customer.address.street);
      System.out.print(Hibernate.isInitialized(customer.purchases));
      for (Purchase purchase : customer.purchases) {
        System.out.print(" " + purchase.cents + purchase.state + purchase.items.size());
        System.out.print(purchase instanceof Gift gift ? gift.message : "");
      }
      System.out.println();
    }
    List<Object[]> sums =
        session
            .createQuery(
                "select c.name, sum(p.cents), count(i) from Purchase p join p.customer c"
                    + " join p.items i group by c.name having sum(p.cents) > 500 order by c.name",
                Object[].class)
            .list();
    sums.forEach(row -> System.out.println(row[0] + " " + row[1] + " " + row[2]));
    var builder = session.getCriteriaBuilder();
    var criteria = builder.createQuery(Item.class);
    var root = criteria.from(Item.class);
    criteria.where(builder.like(root.get("title"), "%3")).orderBy(builder.asc(root.get("title")));
    Item item = session.createQuery(criteria).getSingleResult();
    System.out.println(item.title + item.picture.length + (session.find(Item.class, "item3") == item));
    Object count =
        session.createNativeQuery("select count(*) from Customer_tags", Object.class)
            .getSingleResult();
    System.out.println("tags " + count);
  }

  static void change(SessionFactory factory) {
    Long id = factory.fromTransaction(
        session -> {
          Customer customer =
              session.createQuery("from Customer where name = 'customer2'", Customer.class)
                  .getSingleResult();
          customer.setName("renamed");
          customer.purchases.remove(0);
          customer.purchases.get(0).state = State.DONE;
          return customer.id;
        });
    try (Session session = factory.openSession()) {
      Transaction transaction = session.beginTransaction();
      Customer customer = session.find(Customer.class, id);
      customer.setName("lost");
      session.flush();
      transaction.rollback();
      session.clear();
      Customer found = session.find(Customer.class, id);
      System.out.println(found.name + " " + found.version + " " + found.purchases.size());
      Purchase purchase = found.purchases.get(0);
      session.clear();
      Purchase lazy = session.getReference(Purchase.class, purchase.id);
      System.out.print(Hibernate.isInitialized(lazy) + " ");
      System.out.print(lazy.getCustomer().getName() + " " + Hibernate.isInitialized(lazy));
      System.out.println(" " + (Hibernate.unproxy(lazy).getClass() == Purchase.class));
    }
  }

  static void conflict(SessionFactory factory) {
    try (Session one = factory.openSession();
        Session other = factory.openSession()) {
      String query = "from Customer where name = 'renamed'";
      Customer mine = one.createQuery(query, Customer.class).getSingleResult();
      Customer yours = other.createQuery(query, Customer.class).getSingleResult();
      one.beginTransaction();
      mine.setName("mine");
      one.getTransaction().commit();
      other.beginTransaction();
      yours.setName("yours");
      try {
        other.getTransaction().commit();
        System.out.println("no conflict");
      } catch (OptimisticLockException error) {
        System.out.println("conflict " + mine.version + yours.version);
        other.getTransaction().rollback();
      }
    }
  }

  static void outside(SessionFactory factory) {
    Customer detached =
        factory.fromSession(
            session ->
                session.createQuery("from Customer where name = 'mine'", Customer.class)
                    .getSingleResult());
    try {
      System.out.println(detached.purchases.size());
    } catch (LazyInitializationException error) {
      System.out.println("not initialised");
    }
    detached.setName("merged");
    factory.inTransaction(session -> System.out.println(session.merge(detached).getName()));
  }
}
