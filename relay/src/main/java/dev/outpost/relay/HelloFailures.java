package dev.outpost.relay;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SniCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.timeout.IdleStateEvent;

/** Ends and counts connections that {@link HelloHandler} could not pass on. */
final class HelloFailures extends ChannelInboundHandlerAdapter {
    /** A fatal alert, unrecognized_name (RFC 8446, section 6.2), which lets the client report the cause. */
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    private final Counters counters;
    private boolean refused;

    HelloFailures(Counters counters) {
        this.counters = counters;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refuse(
                context,
                switch (cause) {
                    case HelloRefusedException known -> known.refusal();
                    default -> RefusalReason.HELLO;
                });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        boolean isLate = event instanceof IdleStateEvent
                || event instanceof SniCompletionEvent hello && hello.cause() instanceof SslHandshakeTimeoutException;
        if (isLate) {
            refuse(context, RefusalReason.SLOW);
        }
    }

    private void refuse(ChannelHandlerContext context, RefusalReason refusal) {
        if (refused) {
            return;
        }
        refused = true;
        counters.refused(refusal);
        if (refusal == RefusalReason.NAME || refusal == RefusalReason.TARGET) {
            context.writeAndFlush(Unpooled.wrappedBuffer(UNRECOGNIZED_NAME)).addListener(ChannelFutureListener.CLOSE);
        } else {
            context.close();
        }
    }
}
