package dev.outpost.channel.rpc;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.time.Duration;

/** The constants on which both ends of the runtime's calls agree. */
public final class RuntimeCalls {
    /** Carries {@link #BEARER} and the token, on every call. */
    public static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** The prefix of the token. */
    public static final String BEARER = "Bearer ";

    /** A UUID that the client draws for each connection; the same on both of its calls. */
    public static final Metadata.Key<String> CONNECTION =
            Metadata.Key.of("outpost-connection", Metadata.ASCII_STRING_MARSHALLER);

    /** Larger messages end the call before they are read. Up to here a frame that is too large is told what it may be. */
    public static final int MAX_MESSAGE_BYTES = 2 * Frame.MAX_BYTES;

    /** Either side asks a silent peer for a sign of life after this long. */
    public static final Duration KEEPALIVE_PERIOD = Duration.ofSeconds(10);

    /** A peer that has not given one after this long more is gone: 15 seconds in all. */
    public static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(5);

    /** How much HTTP/2 lets travel ahead of its reader; a lane's own window is what bounds a peer that is slow. */
    public static final int FLOW_WINDOW_BYTES = 4 << 20;

    /** How much may wait in the network's own buffers: little enough that they stay in the processor's cache. */
    public static final int READY_BYTES = 128 << 10;

    private RuntimeCalls() {}

    /** The call that carries a lane. */
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
