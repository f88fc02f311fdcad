package dev.outpost.channel.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;

/**
 * Reads answers of {@link HttpClient}, whose own timeout ends with the head of an answer: a server that stops within a body would be
 * waited for without end. Everything of Outpost that reads a body does it by this class, and a test says so.
 */
public final class HttpBodies {
    private HttpBodies() {}

    /**
     * Sends a request and waits for what the handler makes of the answer. An interrupt ends the request at once.
     *
     * @param pace of the body
     * @param most bytes that the body may have
     * @throws StalledException where the body falls behind its pace; where the handler answers a stream, its reader gets that
     * @throws TooLongException where it is longer
     * @throws IOException where there is no answer
     */
    public static <T> HttpResponse<T> send(
            HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler, Pace pace, long most)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> coming = sendAsync(client, request, handler, pace, most);
        try {
            return coming.get();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case StalledException stalled -> throw stalled;
                case IOException broken -> throw broken;
                case RuntimeException wrong -> throw wrong;
                case Error error -> throw error;
                default -> throw new IOException(failed.getCause());
            }
        } catch (InterruptedException interrupted) {
            coming.cancel(true);
            throw interrupted;
        }
    }

    /** As {@link #send}, without waiting. Cancelling the future ends the request. */
    public static <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler, Pace pace, long most) {
        return client.sendAsync(request, info -> new Watched<>(handler.apply(info), pace, most));
    }

    private static final class Watched<T> implements HttpResponse.BodySubscriber<T> {
        private final HttpResponse.BodySubscriber<T> reader;
        private final ProgressGuard guard;
        private final long most;
        private volatile Flow.Subscription sender;
        /** Guarded by this, so that the reader hears of one thing at a time. */
        private boolean isEnded;

        private long bytes;

        Watched(HttpResponse.BodySubscriber<T> reader, Pace pace, long most) {
            this.reader = reader;
            this.most = most;
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
            if (bytes > most) {
                fail(new TooLongException(most));
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
                // In this order: what becomes of a cancelled request would be told first otherwise.
                reader.onError(why);
                sender.cancel();
            }
        }

        /** Whether this ended it. */
        private boolean end() {
            guard.close();
            boolean isFirst = !isEnded;
            isEnded = true;
            return isFirst;
        }
    }

    /** A body as a stream. The JDK says "closed" to its reader where a body has failed; this says why. */
    private static final class Explained extends FilterInputStream {
        Explained(InputStream body) {
            super(body);
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException failed) {
                throw explained(failed);
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return super.read(bytes, offset, length);
            } catch (IOException failed) {
                throw explained(failed);
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
