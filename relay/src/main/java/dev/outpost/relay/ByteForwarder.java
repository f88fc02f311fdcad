package dev.outpost.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import java.util.concurrent.TimeUnit;

/**
 * Hands on what one side sends to the other, as fast as that one reads and no faster. When one side ends, the other is given
 * what was still on its way, and ended.
 */
final class ByteForwarder extends ChannelInboundHandlerAdapter {
    /** How long a side that does not read may keep what it was sent before the end. */
    private static final int LINGER_SECONDS = 10;

    private final Channel other;
    private final Counters counters;

    ByteForwarder(Channel other, Counters counters) {
        this.other = other;
        this.counters = counters;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        counters.moved(((ByteBuf) message).readableBytes());
        other.write(message);
        if (!other.isWritable()) {
            context.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        other.flush();
    }

    /** This side reads again, or has enough to read. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        other.config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (other.isActive()) {
            other.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            other.eventLoop().schedule(() -> other.close(), LINGER_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Nothing passes, or has for long: whoever is still there connects again. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.close();
        }
    }

    /** A reset, of which the other side is told by an end. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
