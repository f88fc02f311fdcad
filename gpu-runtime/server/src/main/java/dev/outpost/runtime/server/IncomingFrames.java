package dev.outpost.runtime.server;

import dev.outpost.protocol.rpc.WireFrame;
import io.grpc.ServerCall;
import java.util.concurrent.Flow;

/**
 * What comes in on a call, as a publisher for one subscriber. What the subscriber asks for is asked of the client, so
 * that a reader that is behind holds the sender back.
 */
final class IncomingFrames extends ServerCall.Listener<WireFrame> implements Flow.Publisher<byte[]> {
    private final ServerCall<WireFrame, WireFrame> call;
    private volatile Flow.Subscriber<? super byte[]> reader;

    IncomingFrames(ServerCall<WireFrame, WireFrame> call) {
        this.call = call;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super byte[]> subscriber) {
        reader = subscriber;
        subscriber.onSubscribe(new Demand());
        if (call.isCancelled()) {
            subscriber.onComplete();
        }
    }

    @Override
    public void onMessage(WireFrame frame) {
        reader.onNext(frame.head());
    }

    @Override
    public void onHalfClose() {
        end();
    }

    @Override
    public void onCancel() {
        end();
    }

    /** Without a reader the call still waits for its other lane, and whoever subscribes will see that it is over. */
    private void end() {
        Flow.Subscriber<? super byte[]> present = reader;
        if (present != null) {
            present.onComplete();
        }
    }

    private final class Demand implements Flow.Subscription {
        @Override
        public void request(long frames) {
            call.request((int) Math.min(frames, Integer.MAX_VALUE));
        }

        /** The reader's owner ends the call. */
        @Override
        public void cancel() {}
    }
}
