package dev.outpost.client.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.client.transfer.BytesSink;
import dev.outpost.client.waits.ReadLimit;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers of a machine that is malicious, or broken. */
@Tag("quick")
class PendingFetchesTest {
    private static final TensorType TYPE = new TensorType(DType.FLOAT32, Shape.of(2, 2));
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final AtomicLong clock = new AtomicLong();
    private final ReadLimit limit = new ReadLimit(LIMIT, clock::get);
    private final PendingFetches fetches = new PendingFetches(() -> {}, limit);
    private final BytesSink sink = new BytesSink(16);

    @BeforeEach
    void theMachineIsThere() {
        limit.machineIsThere();
    }

    @Test
    void anInlineAnswerThatIsLongerThanAnnouncedIsMalformed() {
        long fetch = fetches.begin(TYPE, sink);
        assertMalformed(
                "fetch 1 answers with 20 bytes after 0, expected 16",
                () -> fetches.fetched(new ToClient.Fetched(fetch, TYPE, new byte[20])));
    }

    @Test
    void anInlineAnswerThatIsTooShortIsMalformed() {
        long fetch = fetches.begin(TYPE, sink);
        assertMalformed(
                "fetch 1 answers with 8 bytes after 0, expected 16",
                () -> fetches.fetched(new ToClient.Fetched(fetch, TYPE, new byte[8])));
    }

    @Test
    void anInlineAnswerBehindChunksIsMalformed() {
        long fetch = fetches.begin(TYPE, sink);
        fetches.chunk(new ToClient.DownloadChunk(fetch, 0, new byte[8]));
        assertMalformed(
                "fetch 1 answers with 16 bytes after 8, expected 16",
                () -> fetches.fetched(new ToClient.Fetched(fetch, TYPE, new byte[16])));
    }

    @Test
    void anotherDtypeOfTheSameSizeIsMalformed() {
        long fetch = fetches.begin(TYPE, sink);
        TensorType other = new TensorType(DType.INT32, Shape.of(2, 2));
        assertMalformed(
                "fetch 1 answers int32[2,2], expected float32[2,2]",
                () -> fetches.fetched(new ToClient.Fetched(fetch, other, new byte[16])));
    }

    @Test
    void anotherShapeOfTheSameSizeIsMalformed() {
        long fetch = fetches.begin(TYPE, sink);
        TensorType other = new TensorType(DType.FLOAT32, Shape.of(4));
        assertMalformed(
                "fetch 1 answers float32[4], expected float32[2,2]",
                () -> fetches.fetched(new ToClient.Fetched(fetch, other, new byte[16])));
    }

    @Test
    void aSecondAnnouncementIsMalformed() {
        long fetch = fetches.begin(TYPE, sink);
        fetches.fetched(new ToClient.Fetched(fetch, TYPE, new byte[0]));
        assertMalformed(
                "fetch 1 is answered twice", () -> fetches.fetched(new ToClient.Fetched(fetch, TYPE, new byte[0])));
    }

    @Test
    void anAnswerThatNeverComesFailsAtTheLimit() {
        CompletableFuture<Void> future = fetches.future(fetches.begin(TYPE, sink));
        pass(LIMIT);
        assertFalse(future.isDone());
        pass(LIMIT.dividedBy(10));
        assertTooLate("read: nothing came of float32[2,2] for 600 s, 0 of 16 bytes are here; ", future);
    }

    @Test
    void executionProgressExtendsTheLimit() {
        CompletableFuture<Void> future = fetches.future(fetches.begin(TYPE, sink));
        for (int time = 0; time < 5; time++) {
            pass(LIMIT.dividedBy(2));
            limit.progressed();
        }
        assertFalse(future.isDone());
        pass(LIMIT.multipliedBy(2));
        assertTrue(future.isCompletedExceptionally());
    }

    @Test
    void halfADownloadFailsWhateverElseTheMachineDoes() {
        long fetch = fetches.begin(TYPE, sink);
        CompletableFuture<Void> future = fetches.future(fetch);
        fetches.fetched(new ToClient.Fetched(fetch, TYPE, new byte[0]));
        fetches.chunk(new ToClient.DownloadChunk(fetch, 0, new byte[8]));
        for (int time = 0; time < 3; time++) {
            pass(LIMIT.dividedBy(2));
            limit.progressed();
        }
        assertTooLate("read: nothing came of float32[2,2] for 600 s, 8 of 16 bytes are here; ", future);
    }

    @Test
    void lateAnswerIsDropped() {
        long fetch = fetches.begin(TYPE, sink);
        pass(LIMIT.multipliedBy(2));
        fetches.fetched(new ToClient.Fetched(fetch, TYPE, new byte[16]));
        assertMalformed(
                "fetch 1 was never asked for, or is done",
                () -> fetches.fetched(new ToClient.Fetched(fetch, TYPE, new byte[16])));
    }

    @Test
    void anAnswerInTimeIsWhole() {
        long fetch = fetches.begin(TYPE, sink);
        CompletableFuture<Void> future = fetches.future(fetch);
        fetches.fetched(
                new ToClient.Fetched(fetch, TYPE, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
        assertTrue(future.isDone());
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, sink.bytes());
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
        fetches.expire();
    }

    private static void assertTooLate(String beginning, CompletableFuture<Void> future) {
        CompletionException failed = assertThrows(CompletionException.class, future::join);
        OutpostException reason = (OutpostException) failed.getCause();
        assertEquals(FaultKind.EXTERNAL, reason.kind());
        assertTrue(reason.getMessage().startsWith(beginning), reason::getMessage);
    }

    private static void assertMalformed(String message, Runnable answer) {
        MalformedException malformed = assertThrows(MalformedException.class, answer::run);
        assertEquals("malformed input: " + message, malformed.getMessage());
    }
}
