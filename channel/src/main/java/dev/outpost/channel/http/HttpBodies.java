package dev.outpost.channel.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Reads answers of {@link HttpClient}. The client's own timeout covers only the head of an answer, so a server that stops within a body
 * would block the reader forever. All code of Outpost that reads a body uses this class. A test enforces this.
 */
public final class HttpBodies {
    private HttpBodies() {}

    /**
     * Sends a request and waits for the handler's result. An interrupt ends the request immediately.
     *
     * @param pace the slowest allowed pace of the body
     * @param max the maximum number of bytes of the body
     * @throws StalledException if the body is slower than the pace; if the handler returns a stream, its reader gets the exception
     * @throws TooLongException if the body is longer
     * @throws IOException if the request fails without an answer
     */
    public static <T> HttpResponse<T> send(
            HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler, Pace pace, long max)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> coming = sendAsync(client, request, handler, pace, max);
        try {
            return coming.get();
        } catch (ExecutionException failure) {
            switch (Objects.requireNonNull(failure.getCause())) {
                case StalledException stalled -> throw stalled;
                case IOException broken -> throw broken;
                case RuntimeException wrong -> throw wrong;
                case Error error -> throw error;
                default -> throw new IOException(failure.getCause());
            }
        } catch (InterruptedException interrupted) {
            coming.cancel(true);
            throw interrupted;
        }
    }

    /** Sends like {@link #send}, without waiting. Cancelling the future ends the request. */
    public static <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler, Pace pace, long max) {
        return client.sendAsync(request, info -> new Watched<>(handler.apply(info), pace, max));
    }

    private static final class Watched<T> implements HttpResponse.BodySubscriber<T> {
        private final HttpResponse.BodySubscriber<T> reader;
        private final ProgressGuard guard;
        private final long max;
        private volatile Flow.@Nullable Subscription sender;
        /** True after the end of the body. Guarded by this, so that the reader gets one signal at a time. */
        private boolean isEnded;

        private long bytes;

        Watched(HttpResponse.BodySubscriber<T> reader, Pace pace, long max) {
            this.reader = reader;
            this.max = max;
            this.guard = new ProgressGuard(pace, () -> fail(new StalledException(pace)));
        }

        @Override
        @SuppressWarnings("unchecked")
        public CompletionStage<T> getBody() {
            return reader.getBody()
                    .thenApply(body -> body instanceof InputStream stream ? (T) new Explained(stream) : body);
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            sender = subscription;
            reader.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long chunks) {
                    guard.want(chunks);
                    subscription.request(chunks);
                }

                @Override
                public void cancel() {
                    guard.close();
                    subscription.cancel();
                }
            });
        }

        @Override
        public synchronized void onNext(List<ByteBuffer> chunk) {
            if (isEnded) {
                return;
            }
            long more = chunk.stream().mapToLong(ByteBuffer::remaining).sum();
            bytes += more;
            if (bytes > max) {
                fail(new TooLongException(max));
            } else {
                guard.received(more);
                reader.onNext(chunk);
            }
        }

        @Override
        public synchronized void onError(Throwable failure) {
            if (end()) {
                reader.onError(failure);
            }
        }

        @Override
        public synchronized void onComplete() {
            if (end()) {
                reader.onComplete();
            }
        }

        private synchronized void fail(IOException why) {
            if (end()) {
                // The reader gets its error before the cancellation, because the cancellation would report another
                // error.
                reader.onError(why);
                Objects.requireNonNull(sender).cancel();
            }
        }

        /** Marks the body as ended. Returns false if it was ended already. */
        private boolean end() {
            guard.close();
            boolean isFirst = !isEnded;
            isEnded = true;
            return isFirst;
        }
    }

    /** A body as a stream. If the body fails, the JDK's stream only reports "closed". This one reports the cause. */
    private static final class Explained extends FilterInputStream {
        Explained(InputStream body) {
            super(body);
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException failure) {
                throw explained(failure);
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return super.read(bytes, offset, length);
            } catch (IOException failure) {
                throw explained(failure);
            }
        }

        private static IOException explained(IOException failed) {
            return switch (failed.getCause()) {
                case StalledException stalled -> stalled;
                case TooLongException tooLong -> tooLong;
                case null, default -> failed;
            };
        }
    }
}
