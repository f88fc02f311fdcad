package dev.outpost.relay;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
        String source = header.sourceAddress();
        if (source != null && !enter.test(new InetSocketAddress(source, 0).getAddress())) {
            throw new RefusedException(Refusal.PEER);
        }
        context.pipeline().remove(this);
    }
}
