package dev.outpost.transport;

import dev.outpost.protocol.rpc.RuntimeCalls;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Trust;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/** Channels by TLS; the machine's certificate is pinned, or vouched for by a given authority. */
final class TlsChannels implements Channels {
    private final Endpoint.Remote endpoint;

    TlsChannels(Endpoint.Remote endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public ManagedChannel open() throws IOException {
        requireKnownHost();
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .channelType(Loops.Tcp.CHANNEL)
                .eventLoopGroup(Loops.Tcp.GROUP)
                .sslContext(context());
        return Tuning.apply(builder).build();
    }

    /** gRPC would log each attempt that finds no host, with a stack trace. */
    private void requireKnownHost() throws IOException {
        if (new InetSocketAddress(endpoint.host(), endpoint.port()).isUnresolved()) {
            throw new UnknownHostException(name() + " cannot be reached: no host is called " + endpoint.host());
        }
    }

    @Override
    public String name() {
        String host = endpoint.host();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + endpoint.port();
    }

    @Override
    public Metadata headers() {
        Metadata headers = new Metadata();
        headers.put(RuntimeCalls.AUTHORIZATION, RuntimeCalls.BEARER + endpoint.token());
        return headers;
    }

    private SslContext context() throws IOException {
        SslContextBuilder builder = GrpcSslContexts.forClient();
        switch (endpoint.trust()) {
            case Trust.Pin pin -> builder.trustManager(new PinnedTrustManager(pin));
            case Trust.Authority authority ->
                builder.trustManager(
                        new ByteArrayInputStream(authority.certificates().getBytes(StandardCharsets.US_ASCII)));
        }
        return builder.build();
    }
}
