package dev.outpost.channel.client;

import dev.outpost.channel.rpc.RuntimeCalls;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Makes channels over a Unix domain socket. They need no TLS and no token, because the permissions of the socket's
 * file decide who may open it.
 */
final class LocalChannels implements Channels {
    private final Path socket;
    private final @Nullable String token;

    LocalChannels(Path socket, @Nullable String token) {
        this.socket = socket;
        this.token = token;
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
        Metadata headers = new Metadata();
        if (token != null) {
            headers.put(RuntimeCalls.AUTHORIZATION, RuntimeCalls.BEARER + token);
        }
        return headers;
    }
}
