package dev.outpost.channel.client;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.ThreadFactory;

/** The event loops of all channels. Their threads are daemons, and start with the first channel. */
final class Loops {
    private static final SelectStrategyFactory WAKEFUL =
            () -> new BusyPollSelectStrategy(SpinWaiter.ofProgram(), System::nanoTime);

    /** The event loop for TCP. */
    static final class Tcp {
        /** Selects Netty's own default. */
        private static final int THREADS = 0;

        static final Class<? extends SocketChannel> CHANNEL =
                Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
        static final EventLoopGroup GROUP = Epoll.isAvailable()
                ? new EpollEventLoopGroup(THREADS, threads("outpost-tcp"), WAKEFUL)
                : nio(THREADS, "outpost-tcp");

        private Tcp() {}
    }

    /** The event loop for Unix domain sockets. */
    static final class Local {
        static final EventLoopGroup GROUP = nio(2, "outpost-local");

        private Local() {}
    }

    private Loops() {}

    private static EventLoopGroup nio(int threads, String name) {
        return new NioEventLoopGroup(threads, threads(name), SelectorProvider.provider(), WAKEFUL);
    }

    private static ThreadFactory threads(String name) {
        return new DefaultThreadFactory(name, true);
    }
}
