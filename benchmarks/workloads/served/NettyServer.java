import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** An HTTP server of Netty's parts that makes a page, and its load. */
public final class NettyServer extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final int LONGEST = 1 << 16;
  private static final int ROWS = 40;

  public static void main(String[] args) throws Exception {
    Channel channel =
        new ServerBootstrap()
            .group(new NioEventLoopGroup(1), new NioEventLoopGroup(2))
            .channel(NioServerSocketChannel.class)
            .childHandler(new Connection())
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    HttpLoad load = new HttpLoad(((InetSocketAddress) channel.localAddress()).getPort());
    OpenLoad.run(Integer.parseInt(args[0]), load::send);
  }

  private static final class Connection extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel channel) {
      channel
          .pipeline()
          .addLast(new HttpServerCodec(), new HttpObjectAggregator(LONGEST), new NettyServer());
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    QueryStringDecoder query = new QueryStringDecoder(request.uri());
    String page = page(query.parameters().get("id").get(0), query.parameters().get("name").get(0));
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.OK,
            Unpooled.copiedBuffer(page, StandardCharsets.UTF_8));
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
    context.writeAndFlush(response);
  }

  private static String page(String id, String name) {
    StringBuilder page = new StringBuilder("<html><h1>item ").append(id).append("</h1>");
    for (int k = 0; k < ROWS; k++) {
      page.append("<p>").append(k).append(" of ").append(name).append("</p>");
    }
    return page.append("</html>").toString();
  }
}
