package dev.outpost.relay;

import dev.outpost.relay.name.RelayNames;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads the server name of a ClientHello, connects to the machine, and replaces itself by a {@link ByteForwarder}
 * that forwards all bytes, beginning with the ClientHello. Netty limits the bytes that are read before the name is
 * known.
 */
final class HelloHandler extends AbstractSniHandler<Channel> {
    /**
     * The longest ClientHello in bytes. A typical one has some hundred bytes, or two thousand with post-quantum keys.
     */
    private static final int MAX_BYTES = 16 << 10;

    private static final int CONNECT_MILLIS = 5_000;

    private final RelayNames names;
    private final TargetNetworks targets;
    private final Class<? extends SocketChannel> kind;
    private final Counters counters;

    HelloHandler(
            RelayNames names,
            TargetNetworks targets,
            Class<? extends SocketChannel> kind,
            Counters counters,
            Duration timeout) {
        super(MAX_BYTES, timeout.toMillis());
        this.names = names;
        this.targets = targets;
        this.kind = kind;
        this.counters = counters;
    }

    /** Stops reading from the client until the machine has accepted the connection. */
    @Override
    protected Future<Channel> lookup(ChannelHandlerContext context, String serverName) {
        Optional<InetSocketAddress> target = Optional.ofNullable(serverName).flatMap(names::resolve);
        if (target.isEmpty()) {
            return context.executor().newFailedFuture(new HelloRefusedException(RefusalReason.NAME));
        }
        return targets.has(target.get())
                ? connect(context.channel(), target.get())
                : context.executor().newFailedFuture(new HelloRefusedException(RefusalReason.TARGET));
    }

    /** Connects on the client's event loop, so that both sides of a connection need no lock. */
    private Future<Channel> connect(Channel client, InetSocketAddress target) {
        Promise<Channel> connected = client.eventLoop().newPromise();
        new Bootstrap()
                .group(client.eventLoop())
                .channel(kind)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, Relay.WATER_MARK)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(target)
                .addListener((ChannelFutureListener) done -> {
                    if (done.isSuccess()) {
                        connected.setSuccess(done.channel());
                    } else {
                        connected.setFailure(new HelloRefusedException(RefusalReason.UNREACHABLE));
                    }
                });
        return connected;
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext context, String serverName, Future<Channel> machine) {
        if (!machine.isSuccess()) {
            context.fireExceptionCaught(machine.cause());
        } else if (!context.channel().isActive()) {
            machine.getNow().close();
        } else {
            counters.passed();
            pass(context, machine.getNow());
        }
    }

    private void pass(ChannelHandlerContext context, Channel machine) {
        Channel client = context.channel();
        machine.pipeline().addLast(new ByteForwarder(client, counters));
        context.pipeline().remove(HelloFailures.class);
        context.pipeline().replace(this, "passage", new ByteForwarder(machine, counters));
        machine.config().setAutoRead(true);
    }
}
