package dev.outpost.runtime.sources.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.channel.http.Pace;
import dev.outpost.channel.http.StalledException;
import dev.outpost.runtime.source.StoreFile;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Parts of objects from a store that fails now and then. */
class S3BytesTest {
    private static final byte[] OBJECT = "0123456789".getBytes();

    /** Each answer is a status that is a failure, or how many bytes of the part come. */
    private static final class FailingStore implements S3AsyncClient {
        private final List<Integer> answers;
        private final List<String> ranges = new ArrayList<>();

        FailingStore(Integer... answers) {
            this.answers = new ArrayList<>(List.of(answers));
        }

        @Override
        public <T> CompletableFuture<T> getObject(
                GetObjectRequest request, AsyncResponseTransformer<GetObjectResponse, T> transformer) {
            ranges.add(request.range());
            int answer = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
            if (answer >= 400) {
                return CompletableFuture.failedFuture(
                        S3Exception.builder().statusCode(answer).build());
            }
            String[] ends = request.range().substring("bytes=".length()).split("-");
            int from = Integer.parseInt(ends[0]);
            int to = Math.min(from + answer, Integer.parseInt(ends[1]) + 1);
            CompletableFuture<T> result = transformer.prepare();
            transformer.onResponse(GetObjectResponse.builder().build());
            transformer.onStream(new Body(ByteBuffer.wrap(Arrays.copyOfRange(OBJECT, from, to))));
            return result;
        }

        @Override
        public String serviceName() {
            return "s3";
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    /** All bytes at once, when they are first asked for. */
    private record Body(ByteBuffer bytes) implements SdkPublisher<ByteBuffer> {
        @Override
        public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
            subscriber.onSubscribe(new Subscription() {
                private boolean isSent;

                @Override
                public void request(long count) {
                    if (!isSent) {
                        isSent = true;
                        subscriber.onNext(bytes);
                        subscriber.onComplete();
                    }
                }

                @Override
                public void cancel() {
                    isSent = true;
                }
            });
        }
    }

    /** Never sends anything. */
    private record Silence(CountDownLatch cancelled) implements SdkPublisher<ByteBuffer> {
        @Override
        public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
            subscriber.onSubscribe(new Subscription() {
                @Override
                public void request(long count) {
                    // The server sends nothing.
                }

                @Override
                public void cancel() {
                    cancelled.countDown();
                }
            });
        }
    }

    @Test
    void aBodyThatStallsFails() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        PartInto part = new PartInto(new byte[4], 0, 4, new Pace(Duration.ofMillis(200), 1));
        CompletableFuture<Integer> taken = part.prepare();
        part.onStream(new Silence(cancelled));
        assertInstanceOf(
                StalledException.class,
                assertThrows(ExecutionException.class, taken::get).getCause());
        Await.opened("the connection is given up", cancelled);
    }

    private static S3Bytes bytes(FailingStore store) throws IOException {
        return new S3Bytes(
                store, S3Location.of("s3://models/tiny"), "tiny/w", new StoreFile("w", OBJECT.length, "\"tag\""));
    }

    @Test
    void aFailedPartIsAskedForAgainByItself() throws IOException {
        FailingStore store = new FailingStore(503, 2, 429, 4);
        byte[] target = new byte[4];
        bytes(store).read(3, target, 0, 4);
        assertArrayEquals("3456".getBytes(), target);
        assertEquals(List.of("bytes=3-6", "bytes=3-6", "bytes=3-6", "bytes=3-6"), store.ranges);
    }

    @Test
    void aTruncatedObjectNamesFileAndRange() throws IOException {
        S3Bytes truncated = bytes(new FailingStore(2));
        String message = assertThrows(IOException.class, () -> truncated.read(3, new byte[4], 0, 4))
                .getMessage();
        assertEquals("s3://models/tiny/w: 4 bytes were requested for bytes=3-6, got 2, asked 4 times", message);
    }

    @Test
    void aRefusalIsNotRepeated() throws IOException {
        FailingStore store = new FailingStore(403);
        String message = assertThrows(IOException.class, () -> bytes(store).read(0, new byte[1], 0, 1))
                .getMessage();
        assertEquals("s3://models/tiny/w, bytes=0-0: the store answers 403", message);
        assertEquals(1, store.ranges.size());
    }
}
