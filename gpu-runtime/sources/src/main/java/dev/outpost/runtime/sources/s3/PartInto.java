package dev.outpost.runtime.sources.s3;

import dev.outpost.channel.http.Pace;
import dev.outpost.channel.http.ProgressGuard;
import dev.outpost.channel.http.StalledException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Copies the body of an answer into an array as it arrives, so that a part is in memory once. Completes with the number of
 * received bytes; bytes that do not fit are counted but not copied.
 */
final class PartInto implements AsyncResponseTransformer<GetObjectResponse, Integer> {
    private final byte[] target;
    private final int at;
    private final int length;
    private final Pace pace;
    private volatile CompletableFuture<Integer> taken = new CompletableFuture<>();

    PartInto(byte[] target, int at, int length) {
        this(target, at, length, Pace.DATA);
    }

    /** @param pace the slowest allowed pace of the body; a slower one fails */
    PartInto(byte[] target, int at, int length, Pace pace) {
        this.pace = pace;
        this.target = target;
        this.at = at;
        this.length = length;
    }

    /** Called for each attempt of the client. */
    @Override
    public CompletableFuture<Integer> prepare() {
        taken = new CompletableFuture<>();
        return taken;
    }

    @Override
    public void onResponse(GetObjectResponse response) {
        // The properties of the object are known.
    }

    @Override
    public void onStream(SdkPublisher<ByteBuffer> body) {
        body.subscribe(new Taker(taken));
    }

    @Override
    public void exceptionOccurred(Throwable failure) {
        taken.completeExceptionally(failure);
    }

    /** The receiver of one attempt. Its methods are called one after the other. */
    private final class Taker implements Subscriber<ByteBuffer> {
        private final CompletableFuture<Integer> result;
        private final ProgressGuard guard = new ProgressGuard(pace, this::stall);
        private volatile Subscription sender;
        private int count;

        Taker(CompletableFuture<Integer> result) {
            this.result = result;
        }

        private void stall() {
            result.completeExceptionally(new StalledException(pace));
            sender.cancel();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            sender = subscription;
            guard.want(Long.MAX_VALUE);
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer bytes) {
            int more = bytes.remaining();
            guard.received(more);
            if (count <= length - more) {
                bytes.get(target, at + count, more);
            }
            count += more;
        }

        @Override
        public void onError(Throwable failure) {
            guard.close();
            result.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            guard.close();
            result.complete(count);
        }
    }
}
