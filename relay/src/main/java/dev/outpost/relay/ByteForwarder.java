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
 * Forwards bytes from one side of a connection to the other, no faster than the other side reads. When one side ends,
 * the other side gets the remaining bytes and is then closed.
 */
final class ByteForwarder extends ChannelInboundHandlerAdapter {
    /** The time in which a slow reader may read the remaining bytes after the end, in seconds. */
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

    /** Reads from the other side while this side accepts writes. */
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

    /** Closes a connection that was idle for too long. A client that still needs it connects again. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.close();
        }
    }

    /** Closes this side after a connection reset. The other side then ends normally. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
