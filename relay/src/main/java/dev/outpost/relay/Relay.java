package dev.outpost.relay;

import dev.outpost.relay.name.RelayNames;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Listens, and forwards each connection to the machine that its TLS server name stands for. A relay keeps no state:
 * another relay with the same secret can replace it, and clients then connect again.
 */
final class Relay implements AutoCloseable {
    /** The limits of bytes that wait for a slow reader: above the high limit, the relay stops reading from the other side. */
    static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(32 << 10, 64 << 10);

    private static final boolean NATIVE = Epoll.isAvailable();
    private static final int BACKLOG = 1024;

    private final RelaySettings settings;
    private final Counters counters = new Counters();
    private final PeerLimit peers;
    private final RelayNames names;
    private final EventLoopGroup loops = NATIVE ? new EpollEventLoopGroup() : new NioEventLoopGroup();
    private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private Channel listening;

    private Relay(RelaySettings settings) {
        this.settings = settings;
        this.peers = new PeerLimit(settings.connectionsPerPeer());
        this.names = new RelayNames(settings.secrets());
    }

    /** @throws IOException if it cannot listen on that address */
    static Relay start(RelaySettings settings) throws IOException {
        Relay relay = new Relay(settings);
        try {
            relay.listening = relay.listen();
            return relay;
        } catch (Exception failure) {
            relay.stopLoops();
            throw new IOException(
                    "cannot listen on " + settings.host() + ":" + settings.port() + ": " + failure.getMessage(),
                    failure);
        }
    }

    private Channel listen() throws Exception {
        return new ServerBootstrap()
                .group(loops)
                .channel(NATIVE ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        accept(client);
                    }
                })
                .bind(settings.host(), settings.port())
                .sync()
                .channel();
    }

    private void accept(SocketChannel client) {
        if (!counters.tryOpen(settings.connections())) {
            refuse(client, RefusalReason.FULL);
            return;
        }
        client.closeFuture().addListener(closed -> counters.closed());
        InetSocketAddress from = client.remoteAddress();
        boolean isProxy = from != null
                && settings.proxies().filter(networks -> networks.has(from)).isPresent();
        if (from == null || !isProxy && !enter(client, from.getAddress())) {
            refuse(client, RefusalReason.PEER);
            return;
        }
        clients.add(client);
        if (isProxy && settings.readsProxyHeaders()) {
            client.pipeline()
                    .addLast(new HAProxyMessageDecoder())
                    .addLast(new ProxyHeader(address -> enter(client, address)));
        }
        client.pipeline()
                .addLast(new IdleStateHandler(0, 0, settings.idle().toMillis(), TimeUnit.MILLISECONDS))
                .addLast(new HelloHandler(
                        names,
                        settings.targets(),
                        NATIVE ? EpollSocketChannel.class : NioSocketChannel.class,
                        counters,
                        settings.hello()))
                .addLast(new HelloFailures(counters));
    }

    private boolean enter(Channel client, InetAddress peer) {
        boolean hasEntered = peers.tryEnter(peer);
        if (hasEntered) {
            client.closeFuture().addListener(closed -> peers.leave(peer));
        }
        return hasEntered;
    }

    private void refuse(SocketChannel client, RefusalReason refusal) {
        counters.refused(refusal);
        client.close();
    }

    int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    Counters counters() {
        return counters;
    }

    /** Accepts no more connections. Open connections continue. */
    void stopListening() {
        listening.close().syncUninterruptibly();
    }

    /** Waits until all connections have ended, at most for the given time. */
    void drain(Duration atMost) {
        clients.newCloseFuture().awaitUninterruptibly(atMost.toMillis());
    }

    @Override
    public void close() {
        stopListening();
        stopLoops();
    }

    private void stopLoops() {
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
