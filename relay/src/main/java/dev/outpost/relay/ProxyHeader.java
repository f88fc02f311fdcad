package dev.outpost.relay;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Predicate;

/** Takes the header of the PROXY protocol, which names the client of a load balancer, and makes way. */
final class ProxyHeader extends SimpleChannelInboundHandler<HAProxyMessage> {
    private final Predicate<InetAddress> enter;

    /** @param enter counts a connection of the client, unless it has as many as it may */
    ProxyHeader(Predicate<InetAddress> enter) {
        this.enter = enter;
    }

    /** The load balancer's own probes have no client. */
    @Override
    protected void channelRead0(ChannelHandlerContext context, HAProxyMessage header) throws RefusedException {
        Optional<InetAddress> source = source(header);
        if (source.isPresent() && !enter.test(source.get())) {
            throw new RefusedException(Refusal.PEER);
        }
        context.pipeline().remove(this);
    }

    /** Empty where the source is unknown, as that of a socket of Unix, which has a path: nothing here asks a name server. */
    private static Optional<InetAddress> source(HAProxyMessage header) {
        HAProxyProxiedProtocol.AddressFamily family = header.proxiedProtocol().addressFamily();
        boolean isOfInternet = family == HAProxyProxiedProtocol.AddressFamily.AF_IPv4
                || family == HAProxyProxiedProtocol.AddressFamily.AF_IPv6;
        return Optional.ofNullable(header.sourceAddress())
                .filter(known -> isOfInternet)
                .map(InetAddress::ofLiteral);
    }
}
