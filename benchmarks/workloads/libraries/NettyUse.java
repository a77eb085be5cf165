import io.netty.bootstrap.*;
import io.netty.buffer.*;
import io.netty.channel.*;
import io.netty.channel.local.*;
import io.netty.channel.nio.*;
import io.netty.channel.socket.nio.*;
import io.netty.handler.codec.*;
import io.netty.handler.codec.string.*;
import io.netty.util.*;
import io.netty.util.concurrent.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;

/** Netty's buffers, channels on a loopback address, timers, and pools of objects. */
public final class NettyUse {
  public static void main(String[] a) throws Exception {
    for (ByteBufAllocator al :
        List.of(PooledByteBufAllocator.DEFAULT, UnpooledByteBufAllocator.DEFAULT)) {
      ByteBuf b = al.directBuffer(64);
      b.writeInt(1).writeLong(2).writeDouble(3).writeBytes("abc".getBytes());
      System.out.println(b + " " + ByteBufUtil.hexDump(b));
      ByteBuf s = b.retainedSlice(2, 5);
      System.out.println(s.refCnt() + " " + b.refCnt());
      s.release();
      b.release();
      System.out.println(b.refCnt());
      try {
        b.readByte();
      } catch (IllegalReferenceCountException e) {
        System.out.println(e);
      }
      ByteBuf h = al.heapBuffer(10, 100);
      for (int i = 0; i < 50; i++) h.writeByte(i);
      System.out.println(h.capacity() + " " + h.hashCode());
      h.release();
    }
    EventLoopGroup g = new NioEventLoopGroup(2);
    BlockingQueue<String> got = new LinkedBlockingQueue<>();
    ServerBootstrap sb =
        new ServerBootstrap()
            .group(g)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  protected void initChannel(Channel c) {
                    c.pipeline()
                        .addLast(
                            new LineBasedFrameDecoder(1000),
                            new StringDecoder(),
                            new StringEncoder(),
                            new SimpleChannelInboundHandler<String>() {
                              protected void channelRead0(ChannelHandlerContext x, String m) {
                                x.writeAndFlush("echo " + m + "\n");
                              }
                            });
                  }
                });
    Channel sv = sb.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    Channel c =
        new Bootstrap()
            .group(g)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInitializer<Channel>() {
                  protected void initChannel(Channel ch) {
                    ch.pipeline()
                        .addLast(
                            new LineBasedFrameDecoder(1000),
                            new StringDecoder(),
                            new StringEncoder(),
                            new SimpleChannelInboundHandler<String>() {
                              protected void channelRead0(ChannelHandlerContext x, String m) {
                                got.add(m);
                              }
                            });
                  }
                })
            .connect(sv.localAddress())
            .sync()
            .channel();
    for (int i = 0; i < 50; i++) {
      c.writeAndFlush("m" + i + "\n").sync();
      System.out.println(got.take());
    }
    Promise<String> p = g.next().newPromise();
    g.next().schedule(() -> p.setSuccess("done"), 5, TimeUnit.MILLISECONDS);
    System.out.println(p.get());
    HashedWheelTimer t = new HashedWheelTimer();
    CountDownLatch l = new CountDownLatch(3);
    for (int i = 0; i < 3; i++) t.newTimeout(x -> l.countDown(), 10, TimeUnit.MILLISECONDS);
    l.await();
    t.stop();
    Recycler<Object[]> r =
        new Recycler<>() {
          protected Object[] newObject(Handle<Object[]> h) {
            return new Object[] {h};
          }
        };
    Object[] o = r.get();
    ((Recycler.Handle) o[0]).recycle(o);
    System.out.println(r.get() == o);
    FastThreadLocal<Integer> ftl =
        new FastThreadLocal<>() {
          protected Integer initialValue() {
            return 5;
          }
        };
    System.out.println(ftl.get());
    c.close().sync();
    sv.close().sync();
    g.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    System.out.println("end");
    System.out.println(
        io.netty.util.internal.PlatformDependent.hasUnsafe()
            + " "
            + io.netty.util.internal.PlatformDependent.directBufferPreferred());
  }
}
