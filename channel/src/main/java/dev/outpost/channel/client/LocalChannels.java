package dev.outpost.channel.client;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** Channels by a Unix domain socket: no TLS and no token, since the socket's file says who may open it. */
final class LocalChannels implements Channels {
    private final Path socket;

    LocalChannels(Path socket) {
        this.socket = socket;
    }

    @Override
    public ManagedChannel open() {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(Loops.Local.GROUP)
                .overrideAuthority("localhost")
                .usePlaintext();
        return Tuning.apply(builder).build();
    }

    @Override
    public String name() {
        return "unix:" + socket;
    }

    @Override
    public Metadata headers() {
        return new Metadata();
    }
}
