package dev.outpost.channel.rpc;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.time.Duration;

/** The constants that both ends of the runtime's calls use. */
public final class RuntimeCalls {
    /** Carries {@link #BEARER} and the token, on every call. */
    public static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** The prefix of the token. */
    public static final String BEARER = "Bearer ";

    /** A UUID that the client creates for each connection; the same on both of its calls. */
    public static final Metadata.Key<String> CONNECTION =
            Metadata.Key.of("outpost-connection", Metadata.ASCII_STRING_MARSHALLER);

    /**
     * The message size above which gRPC ends the call without reading the message. A frame between {@link Frame#MAX_BYTES} and this limit
     * gets an error that states the limit.
     */
    public static final int MAX_MESSAGE_BYTES = 2 * Frame.MAX_BYTES;

    /** The time of silence after which either side asks its peer for a sign of life. */
    public static final Duration KEEPALIVE_PERIOD = Duration.ofSeconds(10);

    /** The time that a peer has to answer before it is considered gone: 15 seconds together with {@link #KEEPALIVE_PERIOD}. */
    public static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(5);

    /**
     * The flow-control window of HTTP/2, in bytes. The window of the lane, not this window, limits the amount that a
     * slow peer must buffer.
     */
    public static final int FLOW_WINDOW_BYTES = 4 << 20;

    /** The number of bytes that may wait in the network's buffers, small enough to stay in the processor's cache. */
    public static final int READY_BYTES = 128 << 10;

    private RuntimeCalls() {}

    /** Returns the call that carries a lane. */
    public static MethodDescriptor<WireFrame, WireFrame> of(Lane lane) {
        return switch (lane) {
            case CONTROL -> ofFrames(RuntimeGrpc.getControlMethod());
            case BULK -> ofFrames(RuntimeGrpc.getBulkMethod());
        };
    }

    private static MethodDescriptor<WireFrame, WireFrame> ofFrames(MethodDescriptor<Envelope, Envelope> method) {
        FrameMarshaller marshaller = new FrameMarshaller();
        return method.toBuilder(marshaller, marshaller).build();
    }
}
