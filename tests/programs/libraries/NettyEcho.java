import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import io.netty.util.AttributeKey;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Recycler;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;

/** An echo server and its clients on the loopback, and buffers, recycled objects and timers. */
public class NettyEcho {
  static final AttributeKey<Integer> SEEN = AttributeKey.valueOf("seen");

  /** Answers each message with its number in the connection. */
  static final class Echo extends SimpleChannelInboundHandler<String> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, String message) {
      Integer seen = context.channel().attr(SEEN).get();
      int number = seen == null ? 1 : seen + 1;
      context.channel().attr(SEEN).set(number);
      if (message.equals("fail")) {
        throw new IllegalStateException("asked to fail");
      }
      context.writeAndFlush(number + ":" + message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
      context.writeAndFlush("error:" + error.getMessage());
    }
  }

  /** Sends messages one after the other, each when the last was answered. */
  static final class Client extends ChannelInboundHandlerAdapter {
    final List<String> answers = new ArrayList<>();
    final List<String> messages;
    final Promise<List<String>> done;

    Client(List<String> messages, Promise<List<String>> done) {
      this.messages = messages;
      this.done = done;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      context.writeAndFlush(messages.get(0));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      answers.add((String) message);
      if (answers.size() < messages.size()) {
        context.writeAndFlush(messages.get(answers.size()));
      } else {
        context.close().addListener(closed -> done.setSuccess(answers));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
      done.tryFailure(error);
    }
  }

  static void framed(Channel channel) {
    channel
        .pipeline()
        .addLast(new LengthFieldBasedFrameDecoder(1 << 16, 0, 4, 0, 4))
        .addLast(new LengthFieldPrepender(4))
        .addLast(new StringDecoder(StandardCharsets.UTF_8))
        .addLast(new StringEncoder(StandardCharsets.UTF_8));
  }

  static void echo(int clients, int each) throws Exception {
    NioEventLoopGroup accepting = new NioEventLoopGroup(1);
    NioEventLoopGroup working = new NioEventLoopGroup(2);
    DefaultEventExecutorGroup aside = new DefaultEventExecutorGroup(1);
    ServerBootstrap server =
        new ServerBootstrap()
            .group(accepting, working)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    framed(channel);
                    channel.pipeline().addLast(aside, new Echo());
                  }
                });
    Channel bound = server.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    List<Promise<List<String>>> promises = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Promise<List<String>> done = working.next().newPromise();
      promises.add(done);
      List<String> messages = new ArrayList<>();
      for (int n = 0; n < each; n++) {
        messages.add(n % 17 == 3 ? "fail" : "c" + i + "-" + n + "x".repeat(n * 7 % 3000));
      }
      new Bootstrap()
          .group(working)
          .channel(NioSocketChannel.class)
          .handler(
              new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel channel) {
                  framed(channel);
                  channel.pipeline().addLast(new Client(messages, done));
                }
              })
          .connect(bound.localAddress())
          .sync();
    }
    for (Promise<List<String>> promise : promises) {
      CRC32 sum = new CRC32();
      List<String> answers = promise.get();
      answers.forEach(answer -> sum.update(answer.getBytes(StandardCharsets.UTF_8)));
      System.out.println(
          answers.size() + " " + Long.toHexString(sum.getValue()) + " " + answers.get(3));
    }
    bound.close().sync();
    for (var group : List.of(accepting, working, aside)) {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
  }

  static void buffers() {
    PooledByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
    long sum = 0;
    for (int i = 0; i < 200; i++) {
      ByteBuf direct = pool.directBuffer(16 << i % 8);
      ByteBuf heap = pool.heapBuffer(16);
      for (int n = 0; n < 20; n++) {
        direct.writeInt(n * i).writeLongLE(n);
        heap.writeShort(n);
      }
      ByteBuf both = Unpooled.wrappedBuffer(direct.retainedSlice(4, 40), heap.retainedDuplicate());
      while (both.isReadable(4)) {
        sum = sum * 31 + both.readInt();
      }
      both.release();
      sum += direct.refCnt() + heap.refCnt();
      direct.release();
      heap.release();
    }
    System.out.println("buffers: " + sum);
  }

  static final class Pooled {
    static final Recycler<Pooled> POOL =
        new Recycler<>() {
          @Override
          protected Pooled newObject(Handle<Pooled> handle) {
            return new Pooled(handle);
          }
        };
    final Recycler.Handle<Pooled> handle;
    int used;

    Pooled(Recycler.Handle<Pooled> handle) {
      this.handle = handle;
    }
  }

  static void recycled() {
    int most = 0;
    for (int i = 0; i < 500; i++) {
      Pooled pooled = Pooled.POOL.get();
      most = Math.max(most, ++pooled.used);
      pooled.handle.recycle(pooled);
    }
    FastThreadLocal<StringBuilder> local =
        new FastThreadLocal<>() {
          @Override
          protected StringBuilder initialValue() {
            return new StringBuilder("initial");
          }
        };
    System.out.println("recycled: " + (most > 1) + " " + local.get().append(local.isSet()));
  }

  static void embedded() {
    EmbeddedChannel channel =
        new EmbeddedChannel(new LineBasedFrameDecoder(80), new StringDecoder());
    channel.writeInbound(Unpooled.copiedBuffer("one\r\ntwo\nthr", StandardCharsets.UTF_8));
    channel.writeInbound(Unpooled.copiedBuffer("ee\n", StandardCharsets.UTF_8));
    StringBuilder read = new StringBuilder("embedded:");
    for (String line = channel.readInbound(); line != null; line = channel.readInbound()) {
      read.append(' ').append(line);
    }
    System.out.println(read.append(' ').append(channel.finish()));
  }

  static void timers() throws InterruptedException {
    HashedWheelTimer timer = new HashedWheelTimer(1, TimeUnit.MILLISECONDS, 16);
    CountDownLatch latch = new CountDownLatch(5);
    for (int i = 0; i < 5; i++) {
      timer.newTimeout(timeout -> latch.countDown(), i * 3L, TimeUnit.MILLISECONDS);
    }
    var never = timer.newTimeout(timeout -> System.out.println("never"), 1, TimeUnit.HOURS);
    latch.await();
    System.out.println("timers: " + never.cancel() + " " + timer.stop().size());
  }

  public static void main(String[] args) throws Exception {
    int each = args.length == 0 ? 60 : Integer.parseInt(args[0]);
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    buffers();
    recycled();
    embedded();
    timers();
    echo(3, each);
  }
}
