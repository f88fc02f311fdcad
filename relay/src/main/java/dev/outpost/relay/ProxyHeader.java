package dev.outpost.relay;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads the header of the PROXY protocol, which names the client of a load balancer, and then removes itself from the pipeline. */
final class ProxyHeader extends SimpleChannelInboundHandler<HAProxyMessage> {
    private final Predicate<InetAddress> enter;

    /** @param enter counts a connection of the client; returns false if the client's limit is reached */
    ProxyHeader(Predicate<InetAddress> enter) {
        this.enter = enter;
    }

    /** Accepts a header without a client, because the load balancer's own probes send such headers. */
    @Override
    protected void channelRead0(ChannelHandlerContext context, HAProxyMessage header) throws HelloRefusedException {
        Optional<InetAddress> source = source(header);
        if (source.isPresent() && !enter.test(source.get())) {
            throw new HelloRefusedException(RefusalReason.PEER);
        }
        context.pipeline().remove(this);
    }

    /**
     * Returns the client's address. Returns empty if the header has none, for example for a Unix socket, which has a
     * path. Makes no DNS lookup.
     */
    private static Optional<InetAddress> source(HAProxyMessage header) {
        HAProxyProxiedProtocol.AddressFamily family = header.proxiedProtocol().addressFamily();
        boolean isOfInternet = family == HAProxyProxiedProtocol.AddressFamily.AF_IPv4
                || family == HAProxyProxiedProtocol.AddressFamily.AF_IPv6;
        return Optional.ofNullable(header.sourceAddress())
                .filter(known -> isOfInternet)
                .map(InetAddress::ofLiteral);
    }
}
