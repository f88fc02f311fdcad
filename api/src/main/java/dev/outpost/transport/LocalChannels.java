package dev.outpost.transport;

import dev.outpost.provider.Endpoint;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.UnixDomainSocketAddress;

/** Channels by a Unix domain socket: no TLS and no token, since the socket's file says who may open it. */
final class LocalChannels implements Channels {
    /** Shared like gRPC's own; daemon threads, and none before the first channel. */
    private static final class Loops {
        static final EventLoopGroup GROUP = new NioEventLoopGroup(2, new DefaultThreadFactory("outpost-local", true));
    }

    private final Endpoint.Local endpoint;

    LocalChannels(Endpoint.Local endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public ManagedChannel open() {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(endpoint.socket()))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(Loops.GROUP)
                .overrideAuthority("localhost")
                .usePlaintext();
        return Tuning.apply(builder).build();
    }

    @Override
    public String name() {
        return "unix:" + endpoint.socket();
    }

    @Override
    public Metadata headers() {
        return new Metadata();
    }
}
