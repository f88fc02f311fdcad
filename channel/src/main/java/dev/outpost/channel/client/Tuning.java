package dev.outpost.channel.client;

import dev.outpost.channel.rpc.RuntimeCalls;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;

/** The settings that all channels share. */
final class Tuning {
    private Tuning() {}

    /**
     * Applies the settings. Callbacks run on the event loop, because they are short and never wait. Retries by gRPC are switched off,
     * because the layer above numbers and keeps the frames.
     */
    static NettyChannelBuilder apply(NettyChannelBuilder builder) {
        return builder.directExecutor()
                .disableRetry()
                .disableServiceConfigLookUp()
                .maxInboundMessageSize(RuntimeCalls.MAX_MESSAGE_BYTES)
                .flowControlWindow(RuntimeCalls.FLOW_WINDOW_BYTES)
                .keepAliveTime(RuntimeCalls.KEEPALIVE_PERIOD.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(RuntimeCalls.KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
