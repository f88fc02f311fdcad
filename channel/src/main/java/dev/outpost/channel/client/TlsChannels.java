package dev.outpost.channel.client;

import dev.outpost.channel.HostPort;
import dev.outpost.channel.Trust;
import dev.outpost.channel.rpc.RuntimeCalls;
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
import org.jspecify.annotations.Nullable;

/** Makes channels over TLS. The machine's certificate is pinned, or issued by a given authority. */
final class TlsChannels implements Channels {
    private final String host;
    private final int port;
    private final Trust trust;
    private final String token;
    private final @Nullable String serverName;
    private final TraceHeaders trace = new TraceHeaders();

    TlsChannels(String host, int port, Trust trust, String token, @Nullable String serverName) {
        this.host = host;
        this.port = port;
        this.trust = trust;
        this.token = token;
        this.serverName = serverName;
    }

    @Override
    public ManagedChannel open() throws IOException {
        requireKnownHost();
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(host, port)
                .channelType(Loops.Tcp.CHANNEL)
                .eventLoopGroup(Loops.Tcp.GROUP)
                .sslContext(context());
        if (serverName != null) {
            builder.overrideAuthority(serverName);
        }
        return Tuning.apply(builder).build();
    }

    /** Fails if the host is unknown. Without this check, gRPC would log each attempt with a stack trace. */
    private void requireKnownHost() throws IOException {
        if (new InetSocketAddress(host, port).isUnresolved()) {
            throw new UnknownHostException(name() + " cannot be reached: no host is called " + host);
        }
    }

    @Override
    public String name() {
        return HostPort.text(host, port);
    }

    @Override
    public Metadata headers() {
        Metadata headers = new Metadata();
        headers.put(RuntimeCalls.AUTHORIZATION, RuntimeCalls.BEARER + token);
        trace.addTo(headers);
        return headers;
    }

    private SslContext context() throws IOException {
        SslContextBuilder builder = GrpcSslContexts.forClient();
        switch (trust) {
            case Trust.Pin pin -> builder.trustManager(new PinnedTrustManager(pin));
            case Trust.Authority authority ->
                builder.trustManager(
                        new ByteArrayInputStream(authority.certificates().getBytes(StandardCharsets.US_ASCII)));
        }
        return builder.build();
    }
}
